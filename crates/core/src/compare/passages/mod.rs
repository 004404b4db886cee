//! The passages that two texts share, and their places in each.
//!
//! Seeds are found by winnowing (Schleimer, Wilkerson and Aiken, "Winnowing: local algorithms for document
//! fingerprinting", SIGMOD 2003). Every run of `least` common tokens holds a seed. Seeds are extended to runs of the
//! greatest length. A seed that one text has very often is extended at some of its places only.
//!
//! Runs that follow one another in both texts, with little between them, form one passage. A diff finds the equal
//! tokens between them. On either side, a token is in one passage at most. A passage that one text has twice and the
//! other once is shared once.
//!
//! The time grows with the lengths of the texts, and never with their product, even for texts full of repetitions: see
//! [`runs`].
//!
//! **Linear time.** A seed is extended at sixteen places at most, the longest run is taken, and the search goes on
//! after it. `passages/runs.rs` counts the steps. A passage that starts in more places may be missed. Only the sequence
//! ratio takes more than linear time, 64 tokens at a time. `core` has no clock, so `batch` stops it at the time limit,
//! and it then gives bounds. It is the one figure that depends on time.
//!
//! Not for: a score, which is computed in `comparison`.

mod gaps;
mod runs;
mod winnow;

use crate::text::{Located, Stretch};
use runs::EqualRun;
use std::ops::Range;

/// The passages that two texts share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Passages {
    /// The passages, in the order of the left text.
    pub passages: Vec<Passage>,
    /// Tokens of either text that are equal in a passage.
    pub tokens: usize,
    /// The least number of equal consecutive tokens in a passage: the requested one, or the length of a shorter text.
    pub least: usize,
}

/// A passage that two texts share: equal tokens in the same order, and between them tokens that only one text has.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// Its place in the left text.
    pub left: Stretch,
    /// Its place in the right text.
    pub right: Stretch,
    /// The equal parts, in order. The first is at the start of the passage, the last at its end.
    pub equal: Vec<Equal>,
}

/// Consecutive tokens that are equal in both texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Equal {
    /// Their place in the left text.
    pub left: Stretch,
    /// Their place in the right text.
    pub right: Stretch,
    /// The number of tokens.
    pub tokens: usize,
}

impl Passage {
    /// The number of equal tokens.
    pub fn tokens(&self) -> usize {
        self.equal.iter().map(|equal| equal.tokens).sum()
    }

    /// Whether all of its tokens are equal in both texts.
    pub fn is_whole(&self) -> bool {
        self.equal.len() == 1
    }
}

impl Passages {
    /// The passages of two texts that were cut by the same plan.
    ///
    /// Every run of `least` or more common tokens is found, with two exceptions. Its tokens may already be in another
    /// passage. A seed that the left text repeats is tried at 16 of its places only. Texts shorter than `least` are
    /// shared as a whole or not at all.
    pub fn of(left: &Located<'_>, right: &Located<'_>, least: usize) -> Self {
        let least = least.min(left.hashes().len()).min(right.hashes().len());
        if least == 0 {
            return Passages::default();
        }
        let runs = runs::find(left.hashes(), right.hashes(), least);
        let passages: Vec<Passage> = gaps::join(runs)
            .into_iter()
            .filter_map(|runs| passage(left, right, &gaps::fill(left.hashes(), right.hashes(), runs)))
            .collect();
        let tokens = passages.iter().map(Passage::tokens).sum();
        Passages { passages, tokens, least }
    }
}

/// The passage of `runs`. `None` if none of it can be marked.
fn passage(left: &Located<'_>, right: &Located<'_>, runs: &[EqualRun]) -> Option<Passage> {
    let equal: Vec<Equal> = runs.iter().filter_map(|&run| equal(left, right, run)).collect();
    let (first, last) = (equal.first()?, equal.last()?);
    let (left, right) = (around(&first.left, &last.left), around(&first.right, &last.right));
    Some(Passage { left, right, equal })
}

/// The place of `run`, without tokens at its ends that share a character with a token outside. An example is `㌔`, a
/// character with two tokens. Half of it cannot be marked.
fn equal(left: &Located<'_>, right: &Located<'_>, run: EqualRun) -> Option<Equal> {
    let parts =
        |offset: usize| left.parts_before(run.left + offset) && right.parts_before(run.right + offset);
    let start = (0..run.len).find(|&offset| parts(offset))?;
    let end = (start + 1..=run.len).rev().find(|&offset| parts(offset))?;
    let of = |text: &Located<'_>, at: usize| text.stretch(at + start..at + end);
    Some(Equal { left: of(left, run.left), right: of(right, run.right), tokens: end - start })
}

fn around(first: &Stretch, last: &Stretch) -> Stretch {
    let range = |first: &Range<usize>, last: &Range<usize>| first.start..last.end;
    Stretch { bytes: range(&first.bytes, &last.bytes), chars: range(&first.chars, &last.chars) }
}

#[cfg(test)]
mod tests;
