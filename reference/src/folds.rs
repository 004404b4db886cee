//! Folds: what else does not count in a text, if the user says so.
//!
//! A fold takes something away that the normal form keeps. Texts that differ in nothing else then have the same tokens.

use crate::normal::normalize;
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// What does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// The value and the length of numbers: every run of decimal digits, with its marks, is one token "0".
    Digits,
    /// Diacritical marks of Latin, Greek and Cyrillic, the strokes of `đ ħ ł ø ŧ`, and the difference of `ı` and `i`.
    Accents,
    /// Spellings of one Arabic letter: those of yeh, kaf, heh and alef, and hamza and madda above or below a letter.
    ArabicLetters,
    /// A hyphen between two letters, and the line end behind it.
    Hyphens,
    /// The difference of traditional and simplified Chinese characters.
    Chinese,
}

/// The text without hyphens between letters. A hyphen may have a line end and other white space behind it.
///
/// A letter is what may be in a word, except for decimal digits and `_`. What counts is the end of the normal form of the
/// character before the hyphen, and the start of that of the next one. Characters of which nothing is left are skipped.
pub fn without_hyphens(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let mut joined = String::new();
    let mut at = 0;
    while at < characters.len() {
        let end = end_of_hyphen(&characters, at);
        joined.extend(characters.get(at).filter(|_| end.is_none()));
        at = end.unwrap_or(at + 1);
    }
    joined
}

/// Where the letter behind the hyphen at `at` begins. `None` if there is no hyphen, or not between letters.
fn end_of_hyphen(characters: &[char], at: usize) -> Option<usize> {
    let is_hyphen = |c| matches!(c, '-' | '\u{ad}' | '\u{2010}' | '\u{2011}' | '\u{fe63}' | '\u{ff0d}');
    if !is_hyphen(characters[at]) {
        return None;
    }
    let form = |c: &char| normalize(&c.to_string());
    let before = characters[..at].iter().map(form).rfind(|form| !form.is_empty())?;
    let behind = &characters[at + 1..];
    let blank = behind.iter().take_while(|c| c.is_whitespace() || form(c).is_empty()).count();
    let lines: String = behind[..blank].iter().collect();
    let has_space = lines.contains(char::is_whitespace);
    let ends = lines.replace("\r\n", "\n").chars().filter(|&c| is_line_end(c)).count();
    let is_one_line_end = ends == 1 || ends == 0 && lines.contains('\u{c}');
    let next = form(behind.get(blank)?);
    let joins = (is_one_line_end || !has_space) && before.ends_with(is_letter) && next.starts_with(is_letter);
    joins.then_some(at + 1 + blank)
}

fn is_letter(c: char) -> bool {
    (c.is_alphanumeric() || is_combining_mark(c)) && !is_decimal(c)
}

/// A form feed ends a line, and does not begin another if it stands beside a line end.
fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\u{b}' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The normal form of a text, without what the folds take away of its characters. A character is folded by itself.
pub fn normalize_folded(text: &str, folds: &[Fold]) -> String {
    let joined = if folds.contains(&Fold::Hyphens) { without_hyphens(text) } else { text.to_string() };
    let is_left = |c: &char| {
        !(folds.contains(&Fold::Accents) && is_diacritical(*c)
            || folds.contains(&Fold::ArabicLetters) && matches!(c, '\u{653}'..='\u{655}'))
    };
    let of_character = |c: char| std::iter::once(c).nfd().filter(is_left).nfc().collect::<Vec<_>>();
    normalize(&joined).chars().flat_map(of_character).map(|c| folded_letter(c, folds)).collect()
}

/// Whether the mark is in a block of combining diacritical marks.
fn is_diacritical(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// The letter that stands for all that the folds do not tell apart from `c`.
///
/// Sources: the letters of Arabic are those that Apache Lucene's ArabicNormalizer and PersianNormalizer make equal. The
/// Chinese characters are those of OpenCC's `TSCharacters`, and of Unihan's `kSimplifiedVariant` for characters that
/// OpenCC does not have.
fn folded_letter(c: char, folds: &[Fold]) -> char {
    match c {
        'đ' | 'ħ' | 'ł' | 'ø' | 'ŧ' | 'ı' if folds.contains(&Fold::Accents) => match c {
            'đ' => 'd',
            'ħ' => 'h',
            'ł' => 'l',
            'ø' => 'o',
            'ŧ' => 't',
            _ => 'i',
        },
        // Alef with wasla; Farsi yeh and alef maksura; keheh; teh marbuta, heh goal and the letter ae.
        'ٱ' | 'ی' | 'ى' | 'ک' | 'ة' | 'ہ' | 'ە' if folds.contains(&Fold::ArabicLetters) => match c {
            'ٱ' => 'ا',
            'ی' | 'ى' => 'ي',
            'ک' => 'ك',
            _ => 'ه',
        },
        _ if folds.contains(&Fold::Chinese) => simplified(c),
        _ => c,
    }
}

/// The simplified character, by pairs of a character and its simplified form.
fn simplified(c: char) -> char {
    static PAIRS: LazyLock<Vec<char>> = LazyLock::new(|| {
        let file = include_str!("../../crates/core/src/text/folds/simplified.txt");
        file.chars().filter(|&c| c != '\n').collect()
    });
    PAIRS.chunks_exact(2).find(|pair| pair[0] == c).map_or(c, |pair| pair[1])
}

/// Whether the character is a decimal digit (general category Nd) of Unicode 17.0.
pub fn is_decimal(c: char) -> bool {
    let point = u32::from(c);
    ZEROS.iter().any(|&zero| (zero..zero + 10).contains(&point))
}

/// The digit zero of every script.
#[rustfmt::skip]
pub const ZEROS: [u32; 77] = [
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
    use crate::normal::is_optional;
    use icu_properties::CodePointMapData;
    use icu_properties::props::GeneralCategory;

    #[test]
    fn decimal_digits_agree_with_icu() {
        let categories = CodePointMapData::<GeneralCategory>::new();
        for c in ('\0'..=char::MAX).filter(|c| c.is_numeric()) {
            assert_eq!(is_decimal(c), categories.get(c) == GeneralCategory::DecimalNumber, "{c:?}");
        }
    }

    #[test]
    fn hyphens_between_letters_do_not_count_and_neither_does_the_line_end_behind_one() {
        assert_eq!(without_hyphens("exam-\nple exam\u{ad}\r\n  ple well-known"), "example example wellknown");
        assert_eq!(without_hyphens("a\u{2010} \u{2028}\tb c\u{2011}d"), "ab cd");
        // Forms and invisible characters that do not count elsewhere do not count here.
        assert_eq!(
            without_hyphens("ｗ－ｋ a\u{200b}-b c-\u{200b}\n\u{fe0f}d e-\n\u{c}f g-\u{c}h"),
            "ｗｋ a\u{200b}b cd ef gh"
        );
        // A paragraph ends, a range, a dash, a list.
        for text in
            ["exam-\n\nple", "2019-2020 COVID-\n19", "a - b -c d- e--f", "- a\n- b", "x-_y _-y", "m²-price"]
        {
            assert_eq!(without_hyphens(text), text);
        }
    }

    #[test]
    fn letters_fold() {
        let of = |text, fold| normalize_folded(text, &[fold]);
        assert_eq!(
            of("Ọkọ̀ żółty Đường ñ ё й ΐ ǿ Ihsan ıhlamur क्या", Fold::Accents),
            "oko zolty duong n е и ι o ihsan ihlamur क्या"
        );
        assert_eq!(of("على یکی أإآٱ مدرسة ؤئ", Fold::ArabicLetters), "علي يكي اااا مدرسه وي");
        assert_eq!(of("漢語發髮裏說乾", Fold::Chinese), "汉语发发里说干");
    }

    #[test]
    fn simplified_characters_are_normal_and_stay() {
        let pairs: Vec<char> = include_str!("../../crates/core/src/text/folds/simplified.txt")
            .chars()
            .filter(|&c| c != '\n')
            .collect();
        for pair in pairs.chunks_exact(2) {
            assert_eq!(normalize(&String::from_iter(pair)), String::from_iter(pair));
            assert!(!pairs.iter().step_by(2).any(|&c| c == pair[1]), "{pair:?}");
        }
        assert!(pairs.windows(3).step_by(2).all(|three| three[0] < three[2]));
    }

    #[test]
    fn no_fold_leaves_optional_writing() {
        assert!(!normalize_folded("عَلَيْكُم", &[Fold::Accents]).contains(is_optional));
    }
}
