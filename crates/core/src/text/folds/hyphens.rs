//! Hyphens between letters, as of words that are cut at the ends of lines.

use super::{Fold, Folds, is_decimal};
use crate::characters::unicode::{is_alphanumeric, is_whitespace};
use crate::characters::{expansion, is_hidden};
use crate::text::Stretch;
use std::borrow::Cow;
use unicode_normalization::char::is_combining_mark;

/// A text without hyphens between letters, with its places in the original.
///
/// A letter is what may be in a word, except for decimal digits and `_`. A hyphen that does not count may have a line end
/// behind it, and other white space around that. Letters are those of the normal form, so that texts whose difference
/// does not count keep the same tokens.
pub(in crate::text) struct Joined<'t> {
    pub(in crate::text) text: Cow<'t, str>,
    cuts: Vec<JoinCut>,
}

/// A place in the joined text behind which something was taken out, and all that was taken out up to there.
struct JoinCut {
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
        let (mut from, mut taken, mut looked, mut last) = (0, 0, 0, ' ');
        for (at, c) in text.char_indices().filter(|&(_, c)| is_hyphen(c) || !is_hidden(c)) {
            if at < from {
                continue;
            }
            if is_hyphen(c) && at >= looked && expansion(last).last().is_some_and(is_letter) {
                let behind = at + c.len_utf8();
                let (blank, joins) = blank_before_letter(&text[behind..]);
                // What holds for this hyphen holds for soft ones behind it.
                looked = behind + blank;
                if joins {
                    kept.push_str(&text[from..at]);
                    taken += text[at..looked].chars().count();
                    joined.cuts.push(JoinCut {
                        byte: kept.len(),
                        bytes: looked - kept.len(),
                        characters: taken,
                    });
                    from = looked;
                    continue;
                }
            }
            if !is_hidden(c) {
                last = c;
            }
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

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{ad}' | '\u{2010}' | '\u{2011}' | '\u{fe63}' | '\u{ff0d}')
}

/// The length of the white space at the start, and whether a letter follows it. White space needs exactly one line end. CR
/// and LF are one. A form feed ends a line too, and does not begin another beside a line end.
fn blank_before_letter(text: &str) -> (usize, bool) {
    let blank = text.find(|c| !is_whitespace(c) && !is_hidden(c)).unwrap_or(text.len());
    let (mut before, mut ends, mut pages, mut spaces) = (' ', 0, 0, 0);
    for c in text[..blank].chars() {
        spaces += usize::from(is_whitespace(c));
        match c {
            '\n' if before == '\r' => {}
            '\n' | '\u{b}' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => ends += 1,
            '\u{c}' => pages += 1,
            _ => {}
        }
        before = c;
    }
    let is_one_line_end = ends == 1 || ends == 0 && pages > 0;
    let next = text[blank..].chars().next().and_then(|c| expansion(c).next());
    (blank, (spaces == 0 || is_one_line_end) && next.is_some_and(is_letter))
}

fn is_letter(c: char) -> bool {
    (is_alphanumeric(c) || is_combining_mark(c)) && !is_decimal(c)
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
        fn hyphens_are_those_of_the_reference(text in "[ab1_é漢－²ﬁ\u{200b}ـ\u{c}\u{301}\u{ad}\u{2010}\u{2011} \t\r\n\u{b}\u{2028}-]{0,30}") {
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
