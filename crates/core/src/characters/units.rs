//! Units: the parts of a text that are normalised apart from each other.

use super::classes::{CharacterRole, Classes, SHARP_S, final_kind};
use super::normal::{expansion, is_hidden};
use super::unicode::{case_fold, is_invisible, is_optional};
use super::visible::invisible_run;
use std::ops::Range;
use unicode_normalization::char::{canonical_combining_class, compose, is_combining_mark};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// The shortest parts of `text` whose normal forms, one after the other, are the normal form of the whole.
///
/// Invisible characters are parts of their own, unless they stand within a part.
pub(crate) fn units(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = match rest.as_bytes() {
            [_, next, ..] if next.is_ascii() => 1,
            _ if rest.starts_with(is_invisible) => invisible_run(rest).len(),
            _ => {
                let next = rest.char_indices().skip(1).find(|&(_, c)| starts_unit(c));
                let end = next.map_or(rest.len(), |(at, _)| at);
                rest[..end].trim_end_matches(is_invisible).len()
            }
        };
        let (unit, after) = rest.split_at(end);
        rest = after;
        (!unit.is_empty()).then_some(unit)
    })
}

/// Whether `c` never combines with a character before it.
///
/// This is so if the first character of its decomposition is a starter that composes with nothing before it (Unicode
/// Standard Annex #15, "Stable code points"). Of what is left out, nothing may stand between two characters that compose.
fn starts_unit(c: char) -> bool {
    let composes_not = |first: char| {
        canonical_combining_class(first) == 0 && is_nfkc_quick(std::iter::once(first)) == IsNormalized::Yes
    };
    c.is_ascii()
        || !is_hidden(c) && std::iter::once(c).nfkd().find(|&c| !is_optional(c)).is_some_and(composes_not)
}

/// The unit of the character at `at`, and how many bytes the kernels wrote of what is before `at` in it.
///
/// `inside`: whether the last character that was written is in a token. `None` if the part is not one character with
/// marks.
#[inline(never)]
pub(crate) fn unit_at(
    classes: &Classes,
    text: &str,
    at: usize,
    inside: bool,
) -> Option<(Range<usize>, usize)> {
    let starts = |&(_, c): &(usize, char)| classes.class(c).is_starter() || starts_unit(c);
    let next = text[at..].char_indices().skip(1).find(starts);
    let end = next.map_or(text.len(), |(length, _)| at + length);
    if text[at..].starts_with(|c| starts(&(at, c))) {
        return Some((at..end, 0));
    }
    let (start, first) = text[..at].char_indices().rfind(starts)?;
    let marks = &text[start + first.len_utf8()..at];
    let class = classes.class(first);
    let mut written = match class.kind() {
        CharacterRole::Gap => 0,
        CharacterRole::Mark if !inside => 0,
        CharacterRole::Word | CharacterRole::Alone | CharacterRole::Mark => class.folded().len_utf8(),
        CharacterRole::Expands if is_letter_with_marks(first) => expansion(first).map(char::len_utf8).sum(),
        _ => return None,
    };
    for mark in marks.chars() {
        match classes.class(mark).kind() {
            CharacterRole::Hidden => {}
            CharacterRole::Mark | CharacterRole::Complex if is_combining_mark(mark) => {
                written += if written > 0 { mark.len_utf8() } else { 0 };
            }
            _ => return None,
        }
    }
    Some((start..end, written))
}

fn is_letter_with_marks(c: char) -> bool {
    let is_letter = |c| matches!(final_kind(c), CharacterRole::Word | CharacterRole::Alone);
    expansion(c).next().is_some_and(is_letter) && expansion(c).skip(1).all(is_combining_mark)
}

/// The one character that a unit becomes if each mark composes with what is before it.
#[inline(never)]
pub(crate) fn composed(classes: &Classes, unit: &str) -> Option<char> {
    let mut rest = unit.chars();
    let first = classes.class(rest.next()?);
    let mut before = 0;
    let marks = rest.filter(|&c| classes.class(c).kind() != CharacterRole::Hidden);
    let letter = Some(first.folded()).filter(|&c| first.is_starter() && c != SHARP_S);
    marks.fold(letter, |composed, c| {
        let combining = canonical_combining_class(c);
        let in_order = combining >= before && case_fold(c).eq([c]);
        before = combining;
        compose(composed.filter(|_| in_order)?, c)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_as_short_as_unicode_allows() {
        let of = |text| units(text).collect::<Vec<&str>>();
        assert_eq!(of("abé"), ["a", "b", "é"]);
        assert_eq!(of("ae\u{301}ｶﾞＡ"), ["a", "e\u{301}", "ｶﾞ", "Ａ"]);
        assert_eq!(of("漢字👍🏽"), ["漢", "字", "👍", "🏽"]);
        assert_eq!(of("a\u{ad}\u{200b}b漢\u{fe00}"), ["a", "\u{ad}\u{200b}", "b", "漢", "\u{fe00}"]);
        assert_eq!(
            of("\u{ad}\u{301}e\u{ad}\u{301}\u{ad}"),
            ["\u{ad}", "\u{301}", "e\u{ad}\u{301}", "\u{ad}"]
        );
        assert!(of("").is_empty());
    }

    #[test]
    fn starters_start_units() {
        let classes = Classes::get();
        assert!(('\0'..=char::MAX).filter(|&c| classes.class(c).is_starter()).all(starts_unit));
    }

    /// If it holds, no joiner between emoji is within a unit.
    #[test]
    fn emoji_start_units() {
        assert!(('\0'..=char::MAX).filter(|&c| super::super::unicode::is_pictographic(c)).all(starts_unit));
    }
}
