//! What each character means to the word tokenizer: part of a word, a token of its own, or neither.
//!
//! The table answers for the Basic Multilingual Plane; rarer characters are worked out as they come.

use super::unicode::{SIGMA, is_alphanumeric, is_case_ignorable, is_invisible, lowercase, to_lowercase};
use std::sync::OnceLock;
use unicode_normalization::char::{canonical_combining_class, compose, is_combining_mark};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// What a character is, and what it becomes in lower case.
///
/// The low 21 bits hold the lower-case character, the next three the kind, the top eight the canonical
/// combining class.
#[derive(Clone, Copy)]
pub(crate) struct Class(u32);

const KIND: u32 = 7 << 21;
const WORD: u32 = 1 << 21;
const ALONE: u32 = 2 << 21;
const EXPANDS: u32 = 3 << 21;
const COMPLEX: u32 = 4 << 21;

/// What a character is to the word tokenizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It separates words.
    Gap,
    /// A letter, digit or `_`: it joins its neighbours to a word.
    Word,
    /// A character of a script written without spaces: a token of its own.
    Alone,
    /// NFKC puts others in its place ([`expansion`]), whatever stands around it.
    Expands,
    /// Normalisation or lower-casing may change it together with its neighbours, or into several characters:
    /// the text that holds it has to be normalised as a whole. Or it is invisible, and passed over.
    Complex,
}

impl Class {
    /// What the character is, in text that may not be normalised yet.
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

    /// The lower-case character, for a [`Kind::Word`] or [`Kind::Alone`].
    #[inline(always)]
    pub(crate) fn lower(self) -> char {
        char::from_u32(self.0 & 0x1f_ffff).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// The canonical combining class: marks stand in ascending order of it in normalised text.
    #[inline(always)]
    pub(crate) fn combining(self) -> u8 {
        (self.0 >> 24) as u8
    }

    /// The class of `c`, worked out from Unicode's properties.
    fn of(c: char) -> Self {
        let mut lower = to_lowercase(c);
        let (first, more) = (lower.next().unwrap_or(c), lower.next().is_some());
        let kind = match is_nfkc_quick(std::iter::once(c)) {
            _ if is_invisible(c) => COMPLEX,
            // Its lower case depends on where in the word it stands.
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
            // More than tokenizers have room for: half as much again as the text.
            _ => COMPLEX,
        };
        Class(first as u32 | kind | u32::from(canonical_combining_class(c)) << 24)
    }
}

/// What NFKC puts in the place of `c`.
fn expansion(c: char) -> impl Iterator<Item = char> {
    std::iter::once(c).nfkc()
}

/// What becomes of a [`Kind::Expands`]: NFKC, then lower case.
pub(crate) fn folded(c: char) -> impl Iterator<Item = char> {
    expansion(c).flat_map(to_lowercase)
}

/// What of this is part of a word.
fn written(c: char) -> impl Iterator<Item = char> {
    folded(c).filter(|&part| final_kind(part) != Kind::Gap)
}

/// Is `c`, where it stands in an expansion, sure to stay as it is?
fn is_inert(c: char) -> bool {
    is_nfkc_quick(std::iter::once(c)) == IsNormalized::Yes && canonical_combining_class(c) == 0 && c != SIGMA
}

/// What `c` is in text that is normalised and in lower case.
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

/// The classes of the Basic Multilingual Plane, by code point.
pub(crate) struct Classes(Box<[Class]>);

impl Classes {
    /// The table, made on first use.
    pub(crate) fn get() -> &'static Self {
        static TABLE: OnceLock<Classes> = OnceLock::new();
        TABLE.get_or_init(|| {
            Classes((0..0x1_0000).map(|point| char::from_u32(point).map_or(Class(0), Class::of)).collect())
        })
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

/// Does `c`, which composes with some characters before it, stay as it is behind `before`? `None` if that depends on
/// more than the visible character before it.
pub(crate) fn stays_apart(classes: &Classes, before: &str, c: char) -> Option<bool> {
    if is_nfkc_quick(std::iter::once(c)) != IsNormalized::Maybe || to_lowercase(c).next() != Some(c) {
        return None;
    }
    // Only between emoji an invisible character stays, and nothing composes with them.
    let Some(previous) = before.chars().rfind(|&c| !is_invisible(c)) else { return Some(true) };
    let class = classes.class(previous);
    // One that decomposes hides marks, which `c` may have to stand before.
    let stable = class.combining() == 0
        && !matches!(class.kind(), Kind::Expands | Kind::Complex)
        && std::iter::once(previous).nfd().eq([previous]);
    stable.then(|| compose(previous, c).is_none())
}

/// What the capital sigma between `before` and `after` becomes; `None` if that depends on more than the visible
/// characters next to it.
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

/// Is `c` of a script that writes words without spaces: Han, Kana, Thai, Lao, Khmer, Burmese?
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
