//! Hyphens between letters, as of words that are cut at the ends of lines.

use super::{Fold, Folds, is_decimal};
use crate::characters::unicode::{is_alphanumeric, is_whitespace};
use crate::text::Stretch;
use std::borrow::Cow;
use unicode_normalization::char::is_combining_mark;

/// A text without hyphens between letters, with its places in the original.
///
/// A letter is what may be in a word, except for decimal digits and `_`. A hyphen that does not count may have a line end
/// behind it, and other white space around that.
pub(in crate::text) struct Joined<'t> {
    pub(in crate::text) text: Cow<'t, str>,
    cuts: Vec<Cut>,
}

/// A place in the joined text behind which something was taken out, and all that was taken out up to there.
struct Cut {
    byte: usize,
    bytes: usize,
    characters: usize,
}

impl<'t> Joined<'t> {
    /// Takes hyphens out of `text`, if they are folded.
    pub(in crate::text) fn new(folds: Folds, text: &'t str) -> Self {
        let mut joined = Joined { text: Cow::Borrowed(text), cuts: Vec::new() };
        if !folds.contains(Fold::Hyphens) {
            return joined;
        }
        let mut kept = String::new();
        let (mut from, mut taken) = (0, 0);
        for (at, hyphen) in text.match_indices(['-', '\u{ad}', '\u{2010}', '\u{2011}']) {
            let behind = &text[at + hyphen.len()..];
            let end = at + hyphen.len() + line_end(behind);
            if at < from || !text[..at].ends_with(is_letter) || !text[end..].starts_with(is_letter) {
                continue;
            }
            kept.push_str(&text[from..at]);
            taken += text[at..end].chars().count();
            joined.cuts.push(Cut { byte: kept.len(), bytes: end - kept.len(), characters: taken });
            from = end;
        }
        if from > 0 {
            kept.push_str(&text[from..]);
            joined.text = Cow::Owned(kept);
        }
        joined
    }

    /// The part of the original that a part of the joined text comes from.
    pub(in crate::text) fn origin(&self, part: Stretch) -> Stretch {
        let before = |cuts: usize| match cuts.checked_sub(1).map(|last| &self.cuts[last]) {
            Some(cut) => (cut.bytes, cut.characters),
            None => (0, 0),
        };
        let start = before(self.cuts.partition_point(|cut| cut.byte <= part.bytes.start));
        let end = before(self.cuts.partition_point(|cut| cut.byte < part.bytes.end));
        Stretch {
            bytes: part.bytes.start + start.0..part.bytes.end + end.0,
            chars: part.chars.start + start.1..part.chars.end + end.1,
        }
    }
}

fn is_letter(c: char) -> bool {
    (is_alphanumeric(c) || is_combining_mark(c)) && !is_decimal(c)
}

/// The length of the white space at the start, if it has exactly one line end. CR and LF are one.
fn line_end(text: &str) -> usize {
    let space = text.find(|c| !is_whitespace(c)).unwrap_or(text.len());
    let mut before = ' ';
    let ends = text[..space].chars().filter(|&c| {
        let is_second = std::mem::replace(&mut before, c) == '\r' && c == '\n';
        matches!(c, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}') && !is_second
    });
    if ends.count() == 1 { space } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_reference::folds::without_hyphens;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    proptest! {
        #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn hyphens_are_those_of_the_reference(text in "[ab1_é漢\u{301}\u{ad}\u{2010}\u{2011} \t\r\n\u{b}\u{2028}-]{0,30}") {
            let joined = Joined::new([Fold::Hyphens].into_iter().collect(), &text);
            prop_assert_eq!(&joined.text, &without_hyphens(&text));
            for (character, (byte, c)) in joined.text.char_indices().enumerate() {
                let part = Stretch { bytes: byte..byte + c.len_utf8(), chars: character..character + 1 };
                let origin = joined.origin(part);
                prop_assert_eq!(text[origin.bytes.clone()].chars().next(), Some(c));
                prop_assert_eq!(text[..origin.bytes.start].chars().count(), origin.chars.start);
                prop_assert_eq!(text[..origin.bytes.end].chars().count(), origin.chars.end);
            }
        }
    }
}
