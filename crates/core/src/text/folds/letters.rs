//! Letters that a fold does not tell apart.
//!
//! A character is folded by itself: what is left of two characters does not compose.
//!
//! Sources: the letters of Arabic are those that Apache Lucene's ArabicNormalizer and PersianNormalizer make equal. The
//! Chinese characters of `simplified.txt`, each before its simplified form, are those of OpenCC's `TSCharacters` (1.1), and
//! of Unihan's `kSimplifiedVariant` (15.0) for characters that OpenCC does not have. `reference/make_simplified.py` made it.

use super::{Fold, Folds};
use std::collections::HashMap;
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;

static SIMPLIFIED: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
    let mut characters = include_str!("simplified.txt").chars().filter(|&c| c != '\n');
    std::iter::from_fn(|| Some((characters.next()?, characters.next()?))).collect()
});

/// Appends `token`, part of a normal form, with one letter in place of all that the folds do not tell apart.
pub(in crate::text) fn fold_letters(folds: Folds, token: &str, folded: &mut String) {
    if token.is_ascii() {
        return folded.push_str(token);
    }
    let (accents, arabic) = (folds.contains(Fold::Accents), folds.contains(Fold::ArabicLetters));
    let chinese = folds.contains(Fold::Chinese);
    let letter = |c| match c {
        _ if accents && letter_without_stroke(c) != c => letter_without_stroke(c),
        _ if arabic && arabic_letter(c) != c => arabic_letter(c),
        _ if chinese => SIMPLIFIED.get(&c).copied().unwrap_or(c),
        _ => c,
    };
    let is_left = |c: &char| !(accents && is_diacritical(*c) || arabic && matches!(c, '\u{653}'..='\u{655}'));
    for c in token.chars() {
        match c.is_ascii() || !accents && !arabic {
            true => folded.push(letter(c)),
            false => folded.extend(std::iter::once(c).nfd().filter(is_left).nfc().map(letter)),
        }
    }
}

/// Whether the mark is in a block of combining diacritical marks.
fn is_diacritical(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
        | '\u{fe20}'..='\u{fe2f}')
}

fn letter_without_stroke(c: char) -> char {
    match c {
        'đ' => 'd',
        'ħ' => 'h',
        'ł' => 'l',
        'ø' => 'o',
        'ŧ' => 't',
        'ı' => 'i',
        _ => c,
    }
}

fn arabic_letter(c: char) -> char {
    match c {
        // Alef with wasla.
        'ٱ' => 'ا',
        // Farsi yeh and alef maksura.
        'ی' | 'ى' => 'ي',
        // Keheh.
        'ک' => 'ك',
        // Teh marbuta, heh goal and the letter ae.
        'ة' | 'ہ' | 'ە' => 'ه',
        _ => c,
    }
}

/// Whether `c` is a decimal digit (general category Nd).
pub(in crate::text) fn is_decimal(c: char) -> bool {
    match c.is_ascii() {
        true => c.is_ascii_digit(),
        false => {
            let next = ZEROS.partition_point(|&zero| zero <= c as u32);
            next > 0 && c as u32 - ZEROS[next - 1] < 10
        }
    }
}

/// The digit zero of every script, by Unicode 17.0.
#[rustfmt::skip]
static ZEROS: [u32; 77] = [
    0x0030, 0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6,
    0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40,
    0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30, 0x10d40, 0x11066,
    0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x116d0, 0x116da, 0x11730, 0x118e0,
    0x11950, 0x11bf0, 0x11c50, 0x11d50, 0x11da0, 0x11de0, 0x11f50, 0x16130, 0x16a60, 0x16ac0, 0x16b50, 0x16d70, 0x1ccf0,
    0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e4f0, 0x1e5f1, 0x1e950, 0x1fbf0,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_digits_are_those_of_the_reference() {
        for c in '\0'..=char::MAX {
            assert_eq!(is_decimal(c), lookalike_reference::folds::is_decimal(c), "{c:?}");
        }
    }
}
