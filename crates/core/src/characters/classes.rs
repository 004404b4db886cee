//! Classes of characters for the word tokenizer: part of a word, a token of its own, or neither.
//!
//! A table holds the classes of the Basic Multilingual Plane. The classes of rarer characters are computed when needed.

use super::normal::{DOT_ABOVE, expansion, is_hidden};
use super::unicode::{case_fold, is_alphanumeric};
use std::ops::RangeInclusive;
use std::sync::OnceLock;
use unicode_normalization::char::{
    canonical_combining_class, compose, decompose_canonical, is_combining_mark,
};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// The kind of a character, and the character to which it folds.
///
/// The low 21 bits hold the folded character, the next three the kind, the top eight the canonical combining class.
#[derive(Clone, Copy)]
pub(crate) struct CharacterClass(u32);

const KIND: u32 = 7 << 21;
const WORD: u32 = 1 << 21;
const ALONE: u32 = 2 << 21;
const MARK: u32 = 3 << 21;
const EXPANDS: u32 = 4 << 21;
const HIDDEN: u32 = 5 << 21;
const COMPLEX: u32 = 6 << 21;

/// A mark that folds to a letter. No other one does.
const IOTA_BELOW: char = '\u{345}';

/// The folded character of `ß`, in place of the two letters "ss". No character folds to this one.
pub(crate) const SHARP_S: char = 'ſ';

/// The role of a character in the word tokenizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CharacterRole {
    /// Separates words.
    Gap,
    /// A letter, digit or `_`. Forms a word with its neighbours.
    Word,
    /// A character of a script written without spaces: a token of its own.
    Alone,
    /// A mark: part of the token that it follows.
    Mark,
    /// Its normal form has other characters ([`expansion`]), independently of its neighbours.
    Expands,
    /// Nothing is left of it ([`is_hidden`]).
    Hidden,
    /// Its neighbours may compose with it, so that its unit is normalised as a whole.
    Complex,
}

impl CharacterClass {
    /// The kind of the character, in text that may not be normalised yet.
    #[inline(always)]
    pub(crate) fn kind(self) -> CharacterRole {
        // In the order of the numbers, so that the compiler needs no table.
        match self.0 & KIND {
            0 => CharacterRole::Gap,
            WORD => CharacterRole::Word,
            ALONE => CharacterRole::Alone,
            MARK => CharacterRole::Mark,
            EXPANDS => CharacterRole::Expands,
            HIDDEN => CharacterRole::Hidden,
            _ => CharacterRole::Complex,
        }
    }

    /// Whether the character folds to one, and its neighbours have no influence.
    #[inline(always)]
    pub(crate) fn is_simple(self) -> bool {
        self.0 & (0xff << 24 | EXPANDS) == 0
    }

    /// Whether the character folds to one and is no mark.
    #[inline(always)]
    pub(crate) fn is_starter(self) -> bool {
        self.is_simple() && self.0 & KIND != MARK
    }

    /// The folded character of a [`CharacterRole::Word`], [`CharacterRole::Alone`] or [`CharacterRole::Mark`].
    #[inline(always)]
    pub(crate) fn folded(self) -> char {
        char::from_u32(self.0 & 0x1f_ffff).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// The canonical combining class. In normalised text, marks are in ascending order of their class.
    #[inline(always)]
    pub(crate) fn combining(self) -> u8 {
        (self.0 >> 24) as u8
    }

    /// The class of `c`, computed from Unicode's properties.
    fn of(c: char) -> Self {
        let mut folded = case_fold(c);
        let (mut first, more) = (folded.next().unwrap_or(c), folded.next().is_some());
        let mut combining = match std::iter::once(c).nfd().last() {
            // Marks behind it belong before this one, which folds to a letter.
            Some(IOTA_BELOW) => canonical_combining_class(IOTA_BELOW),
            _ => canonical_combining_class(c),
        };
        let kind = match is_nfkc_quick(std::iter::once(c)) {
            _ if is_hidden(c) => HIDDEN,
            IsNormalized::Maybe => COMPLEX,
            IsNormalized::Yes if !more => kind_bits(first),
            _ if c == 'ß' => {
                first = SHARP_S;
                WORD
            }
            _ if expansion(c).count() == 1 && expansion(c).all(is_inert) => {
                first = expansion(c).next().unwrap_or(c);
                kind_bits(first)
            }
            _ if expansion(c).next().is_some_and(is_inert) => {
                // Marks behind it have to be in order with its own.
                combining = combining.max(expansion(c).last().map_or(0, canonical_combining_class));
                match written(c).map(char::len_utf8).sum::<usize>() {
                    0 => 0,
                    // Tokenizers have no room for more.
                    length if length <= c.len_utf8() * 2 => EXPANDS,
                    _ => COMPLEX,
                }
            }
            _ => COMPLEX,
        };
        CharacterClass(first as u32 | kind | u32::from(combining) << 24)
    }
}

/// The kind of a class, for a character of a normal form.
fn kind_bits(c: char) -> u32 {
    match final_kind(c) {
        CharacterRole::Word => WORD,
        CharacterRole::Alone => ALONE,
        CharacterRole::Mark => MARK,
        _ => 0,
    }
}

/// The characters of the normal form of `c` that are in tokens, behind a letter. Marks behind a gap are not.
fn written(c: char) -> impl Iterator<Item = char> {
    let mut inside = true;
    expansion(c).filter(move |&part| {
        inside = match final_kind(part) {
            CharacterRole::Gap => false,
            CharacterRole::Mark => inside,
            _ => true,
        };
        inside
    })
}

/// Whether `c` stays as it is behind any character.
fn is_inert(c: char) -> bool {
    is_nfkc_quick(std::iter::once(c)) == IsNormalized::Yes && canonical_combining_class(c) == 0
}

/// The kind of `c` in a normal form.
pub(crate) fn final_kind(c: char) -> CharacterRole {
    if c.is_ascii() {
        return if c.is_ascii_alphanumeric() || c == '_' { CharacterRole::Word } else { CharacterRole::Gap };
    }
    match is_alphanumeric(c) {
        _ if is_combining_mark(c) => CharacterRole::Mark,
        true if is_unspaced(c) => CharacterRole::Alone,
        true => CharacterRole::Word,
        false => CharacterRole::Gap,
    }
}

/// Blocks whose characters differ in nothing but the character: Han, syllables of Hangul, private use. They are two thirds of the plane, and
/// a process that handles one short text need not compute them one by one.
const UNIFORM: [RangeInclusive<u32>; 4] =
    [0x3400..=0x4dbf, 0x4e00..=0x9fff, 0xac00..=0xd7a3, 0xe000..=0xf8ff];

/// The classes of the Basic Multilingual Plane, by code point.
pub(crate) struct Classes(Box<[CharacterClass]>);

impl Classes {
    /// The table, computed on first use.
    pub(crate) fn get() -> &'static Self {
        static TABLE: OnceLock<Classes> = OnceLock::new();
        TABLE.get_or_init(Self::compute)
    }

    fn compute() -> Self {
        let of_point = |point: u32| char::from_u32(point).map_or(CharacterClass(0), CharacterClass::of);
        let mut classes = Vec::with_capacity(0x1_0000);
        for block in UNIFORM {
            classes.extend((classes.len() as u32..*block.start()).map(of_point));
            let first = of_point(*block.start()).0 ^ block.start();
            classes.extend(block.map(|point| CharacterClass(first | point)));
        }
        classes.extend((classes.len() as u32..0x1_0000).map(of_point));
        Classes(classes.into())
    }

    /// The class of `c`.
    #[inline(always)]
    pub(crate) fn class(&self, c: char) -> CharacterClass {
        match self.0.get(c as usize) {
            Some(&class) => class,
            None => CharacterClass::of(c),
        }
    }
}

/// Whether `c`, which composes with some characters, is sure to stay as it is after `before`, whose last character that is
/// not hidden is no mark of a combining class.
pub(crate) fn stays_apart(classes: &Classes, before: &str, c: char) -> bool {
    if is_nfkc_quick(std::iter::once(c)) != IsNormalized::Maybe || !case_fold(c).eq([c]) {
        return false;
    }
    // An invisible character stays only between emoji, and emoji do not compose.
    let Some(previous) = before.chars().rfind(|&c| classes.class(c).kind() != CharacterRole::Hidden) else {
        return true;
    };
    let class = classes.class(previous);
    let last = match class.kind() {
        CharacterRole::Complex => None,
        CharacterRole::Expands => expansion(previous).last(),
        _ => Some(class.folded()),
    };
    last.is_some_and(|last| {
        let letter = if last == SHARP_S { 's' } else { last };
        // A character that decomposes may hide marks, and `c` may have to be sorted before them.
        (c != DOT_ABOVE || letter != 'i') && compose(letter, c).is_none() && !decomposes(letter)
    })
}

fn decomposes(c: char) -> bool {
    let mut parts = 0;
    decompose_canonical(c, |_| parts += 1);
    parts > 1 || canonical_combining_class(c) != 0
}

/// Whether the script of `c` writes words without spaces: Han, Kana, Thai, Lao, Khmer, Burmese.
fn is_unspaced(c: char) -> bool {
    matches!(c as u32,
        0x2e80..=0x2fdf | 0x3005 | 0x3007 | 0x3021..=0x3029 | 0x3038..=0x303b
        | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x2_0000..=0x3_ffff
        | 0x3041..=0x3096 | 0x3099..=0x309f | 0x30a1..=0x30fa | 0x30fc..=0x30ff
        | 0x31f0..=0x31ff | 0x1_aff0..=0x1_b16f
        | 0x0e00..=0x0e7f | 0x0e80..=0x0eff
        | 0x1780..=0x17ff
        | 0x1000..=0x109f | 0xa9e0..=0xa9ff | 0xaa60..=0xaa7f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_class_of_each_character() {
        let table = Classes::compute();
        assert_eq!(table.0.len(), 0x1_0000);
        for c in (0..0x1_0000).filter_map(char::from_u32) {
            assert_eq!(table.class(c).0, CharacterClass::of(c).0, "{c:?}");
        }
    }
}
