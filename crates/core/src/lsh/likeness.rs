//! Two documents that are alike, and how much.

use crate::similarity::Similarity;
use std::fmt;

/// Two documents, `a` before `b`, that are alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// The earlier document.
    pub a: u32,
    /// The later document.
    pub b: u32,
    /// How much.
    pub likeness: Likeness,
}

/// How alike two documents are: counted, not estimated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Likeness {
    /// By the measure of the plan.
    Similarity(Similarity),
    /// By the bits in which their fingerprints differ; of their texts nothing is known.
    Hamming(u32),
}

impl Likeness {
    /// The similarity, if it was counted.
    pub fn similarity(self) -> Option<Similarity> {
        match self {
            Likeness::Similarity(similarity) => Some(similarity),
            Likeness::Hamming(_) => None,
        }
    }
}

impl fmt::Display for Likeness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Likeness::Similarity(similarity) => similarity.fmt(f),
            Likeness::Hamming(distance) => distance.fmt(f),
        }
    }
}
