//! Classes of characters for the word tokenizer: part of a word, a token of its own, or neither.
//!
//! A table holds the classes of the Basic Multilingual Plane. The classes of rarer characters are computed when needed.

use super::unicode::{SIGMA, is_alphanumeric, is_case_ignorable, is_invisible, lowercase, to_lowercase};
use std::ops::RangeInclusive;
use std::sync::OnceLock;
use unicode_normalization::char::{canonical_combining_class, compose, is_combining_mark};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// The kind of a character, and its lower case.
///
/// The low 21 bits hold the lower-case character, the next three the kind, the top eight the canonical combining class.
#[derive(Clone, Copy)]
pub(crate) struct Class(u32);

const KIND: u32 = 7 << 21;
const WORD: u32 = 1 << 21;
const ALONE: u32 = 2 << 21;
const EXPANDS: u32 = 3 << 21;
const COMPLEX: u32 = 4 << 21;

/// The role of a character in the word tokenizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Separates words.
    Gap,
    /// A letter, digit or `_`. Forms a word with its neighbours.
    Word,
    /// A character of a script written without spaces: a token of its own.
    Alone,
    /// NFKC replaces it with other characters ([`expansion`]), independently of its neighbours.
    Expands,
    /// The text that holds it has to be normalised as a whole, or the character is invisible and skipped.
    ///
    /// Normalisation or lower-casing may change such a character together with its neighbours, or into several
    /// characters.
    Complex,
}

impl Class {
    /// The kind of the character, in text that may not be normalised yet.
    #[inline(always)]
    pub(crate) fn kind(self) -> Kind {
        match self.0 & KIND {
            0 => Kind::Gap,
            WORD => Kind::Word,
            ALONE => Kind::Alone,
            EXPANDS => Kind::Expands,
            _ => Kind::Complex,
        }
    }

    /// The lower-case character of a [`Kind::Word`] or [`Kind::Alone`].
    #[inline(always)]
    pub(crate) fn lower(self) -> char {
        char::from_u32(self.0 & 0x1f_ffff).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// The canonical combining class. In normalised text, marks are in ascending order of their class.
    #[inline(always)]
    pub(crate) fn combining(self) -> u8 {
        (self.0 >> 24) as u8
    }

    /// The class of `c`, computed from Unicode's properties.
    fn of(c: char) -> Self {
        let mut lower = to_lowercase(c);
        let (first, more) = (lower.next().unwrap_or(c), lower.next().is_some());
        let kind = match is_nfkc_quick(std::iter::once(c)) {
            _ if is_invisible(c) => COMPLEX,
            // The lower case depends on the place in the word.
            _ if c == SIGMA => COMPLEX,
            IsNormalized::Yes if !more => match final_kind(first) {
                Kind::Word => WORD,
                Kind::Alone => ALONE,
                _ => 0,
            },
            IsNormalized::Maybe => COMPLEX,
            _ if !expansion(c).all(is_inert) => COMPLEX,
            _ if written(c).next().is_none() => 0,
            _ if written(c).map(char::len_utf8).sum::<usize>() <= c.len_utf8() * 3 / 2 => EXPANDS,
            // Tokenizers have room for half as much again as the text, and this would take more.
            _ => COMPLEX,
        };
        Class(first as u32 | kind | u32::from(canonical_combining_class(c)) << 24)
    }
}

/// The characters with which NFKC replaces `c`.
fn expansion(c: char) -> impl Iterator<Item = char> {
    std::iter::once(c).nfkc()
}

/// The characters of a [`Kind::Expands`] after NFKC and lower case.
pub(crate) fn folded(c: char) -> impl Iterator<Item = char> {
    expansion(c).flat_map(to_lowercase)
}

/// The folded characters of `c` that are part of a word.
fn written(c: char) -> impl Iterator<Item = char> {
    folded(c).filter(|&part| final_kind(part) != Kind::Gap)
}

/// Whether `c` is sure to stay unchanged within an expansion.
fn is_inert(c: char) -> bool {
    is_nfkc_quick(std::iter::once(c)) == IsNormalized::Yes && canonical_combining_class(c) == 0 && c != SIGMA
}

/// The kind of `c` in text that is normalised and in lower case.
pub(crate) fn final_kind(c: char) -> Kind {
    if c.is_ascii() {
        return if c.is_ascii_alphanumeric() || c == '_' { Kind::Word } else { Kind::Gap };
    }
    match (is_unspaced(c), is_alphanumeric(c)) {
        (true, true) => Kind::Alone,
        (true, false) if is_combining_mark(c) => Kind::Alone,
        (false, true) => Kind::Word,
        _ => Kind::Gap,
    }
}

/// Blocks whose characters differ in nothing but the character: Han, syllables of Hangul, private use. They are two thirds of the plane, and
/// a process that handles one short text need not compute them one by one.
const UNIFORM: [RangeInclusive<u32>; 4] =
    [0x3400..=0x4dbf, 0x4e00..=0x9fff, 0xac00..=0xd7a3, 0xe000..=0xf8ff];

/// The classes of the Basic Multilingual Plane, by code point.
pub(crate) struct Classes(Box<[Class]>);

impl Classes {
    /// The table, computed on first use.
    pub(crate) fn get() -> &'static Self {
        static TABLE: OnceLock<Classes> = OnceLock::new();
        TABLE.get_or_init(Self::compute)
    }

    fn compute() -> Self {
        let of_point = |point: u32| char::from_u32(point).map_or(Class(0), Class::of);
        let mut classes = Vec::with_capacity(0x1_0000);
        for block in UNIFORM {
            classes.extend((classes.len() as u32..*block.start()).map(of_point));
            let first = of_point(*block.start()).0 ^ block.start();
            classes.extend(block.map(|point| Class(first | point)));
        }
        classes.extend((classes.len() as u32..0x1_0000).map(of_point));
        Classes(classes.into())
    }

    /// The class of `c`.
    #[inline(always)]
    pub(crate) fn class(&self, c: char) -> Class {
        match self.0.get(c as usize) {
            Some(&class) => class,
            None => Class::of(c),
        }
    }
}

/// Whether `c`, which composes with some characters, stays as it is after `before`.
///
/// `None` if this depends on more than the visible character before it.
pub(crate) fn stays_apart(classes: &Classes, before: &str, c: char) -> Option<bool> {
    if is_nfkc_quick(std::iter::once(c)) != IsNormalized::Maybe || to_lowercase(c).next() != Some(c) {
        return None;
    }
    // An invisible character stays only between emoji, and emoji do not compose.
    let Some(previous) = before.chars().rfind(|&c| !is_invisible(c)) else { return Some(true) };
    let class = classes.class(previous);
    // A character that decomposes may hide marks, and `c` may have to be sorted before them.
    let stable = class.combining() == 0
        && !matches!(class.kind(), Kind::Expands | Kind::Complex)
        && std::iter::once(previous).nfd().eq([previous]);
    stable.then(|| compose(previous, c).is_none())
}

/// The lower case of the capital sigma between `before` and `after`.
///
/// `None` if this depends on more than the visible characters next to it.
pub(crate) fn lower_sigma(before: &str, after: &str) -> Option<char> {
    let context = |c: Option<char>| match c {
        Some(c) if is_nfkc_quick(std::iter::once(c)) != IsNormalized::Yes || is_case_ignorable(c) => None,
        c => Some(c.map(String::from).unwrap_or_default()),
    };
    let before = context(before.chars().rfind(|&c| !is_invisible(c)))?;
    let after = context(after.chars().find(|&c| !is_invisible(c)))?;
    let lower = lowercase(&format!("{before}{SIGMA}{after}"));
    lower.chars().nth(lowercase(&before).chars().count())
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
            assert_eq!(table.class(c).0, Class::of(c).0, "{c:?}");
        }
    }
}
