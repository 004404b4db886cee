//! A text with its tokens and their places.

use super::Stretch;
use std::ops::Range;

/// The tokens of a text in order, with their places. Made by [`Sketcher::locate`](crate::Sketcher::locate).
#[derive(Clone, Debug)]
pub struct Located<'t> {
    text: &'t str,
    hashes: Vec<u64>,
    places: Vec<Stretch>,
}

impl<'t> Located<'t> {
    pub(crate) fn new(text: &'t str, hashes: Vec<u64>, places: Vec<Stretch>) -> Self {
        debug_assert_eq!(hashes.len(), places.len());
        Located { text, hashes, places }
    }

    /// The text.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The hash of each token.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// The place of each token.
    pub fn places(&self) -> &[Stretch] {
        &self.places
    }

    /// The stretch from the first to the last of `tokens`, a range that is not empty.
    pub(crate) fn stretch(&self, tokens: Range<usize>) -> Stretch {
        let (first, last) = (&self.places[tokens.start], &self.places[tokens.end - 1]);
        Stretch { bytes: first.bytes.start..last.bytes.end, chars: first.chars.start..last.chars.end }
    }

    /// Those of `tokens` whose characters have no other token: several tokens may come from one character.
    pub fn of_whole_characters(&self, tokens: Range<usize>) -> Range<usize> {
        let Range { mut start, mut end } = tokens;
        while start < end && !self.parts_before(start) {
            start += 1;
        }
        while start < end && !self.parts_before(end) {
            end -= 1;
        }
        start..end
    }

    /// Whether the token at `index` and the one before it come from different characters.
    pub(crate) fn parts_before(&self, index: usize) -> bool {
        let (Some(before), Some(after)) =
            (index.checked_sub(1).map(|i| &self.places[i]), self.places.get(index))
        else {
            return true;
        };
        before.bytes.end <= after.bytes.start
    }
}
