//! Which passages do two texts share, and where do these stand in each?
//!
//! Seeds are found by winnowing (Schleimer, Wilkerson and Aiken, "Winnowing: local algorithms for document fingerprinting", SIGMOD
//! 2003): every run of `least` common tokens holds one. Seeds are lengthened to runs that are as long as they can be (a seed that
//! one text has very often, beside some of its places only), and
//! runs that follow one another in both texts, with little between them, are one passage, in which a diff finds what else is
//! equal. A token is in one passage at most, on either side: what one text has twice and the other once is shared once.
//!
//! The time grows with the lengths of the texts, not with their product, however much they repeat themselves: see [`runs`].
//!
//! Not for: score as a number; that is `comparison`.

mod gaps;
mod runs;
mod winnow;

use crate::text::{Located, Stretch};
use runs::Run;
use std::ops::Range;

/// The passages that two texts share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Passages {
    /// In the order of the left text.
    pub passages: Vec<Passage>,
    /// Tokens of either text that are equal in a passage.
    pub tokens: usize,
    /// Tokens in a row that must be equal to make a passage: those asked for, or those of the shorter text if it has fewer.
    pub least: usize,
}

/// A passage that two texts share: the same tokens in the same order, and between them what only one of the two has.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// Where it stands in the left text.
    pub left: Stretch,
    /// Where it stands in the right text.
    pub right: Stretch,
    /// What is equal of it, in order; the first is at its start and the last at its end.
    pub equal: Vec<Equal>,
}

/// Tokens in a row that are equal in both texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Equal {
    /// Where they stand in the left text.
    pub left: Stretch,
    /// Where they stand in the right text.
    pub right: Stretch,
    /// How many there are.
    pub tokens: usize,
}

impl Passage {
    /// Equal tokens.
    pub fn tokens(&self) -> usize {
        self.equal.iter().map(|equal| equal.tokens).sum()
    }

    /// Is it the same in both texts, but for what is no token?
    pub fn is_whole(&self) -> bool {
        self.equal.len() == 1
    }
}

impl Passages {
    /// Of two texts that were cut by the same plan. Every run of `least` common tokens or more is found, but for what other
    /// passages have taken, and for some of what begins similar in many places: where the left text repeats a seed of the run, 16
    /// of its places are tried. Shorter texts are shared as a whole or not at all.
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

/// The passage of `runs`; `None` if nothing of it can be marked.
fn passage(left: &Located<'_>, right: &Located<'_>, runs: &[Run]) -> Option<Passage> {
    let equal: Vec<Equal> = runs.iter().filter_map(|&run| equal(left, right, run)).collect();
    let (first, last) = (equal.first()?, equal.last()?);
    let (left, right) = (around(&first.left, &last.left), around(&first.right, &last.right));
    Some(Passage { left, right, equal })
}

/// Where `run` stands, without tokens at its ends that share a character with a token outside: `㌔` is two tokens, and half of
/// it cannot be marked.
fn equal(left: &Located<'_>, right: &Located<'_>, run: Run) -> Option<Equal> {
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
