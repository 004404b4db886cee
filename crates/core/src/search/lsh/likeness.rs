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

/// The sign of a number, which no similarity has.
const HAMMING: u64 = 1 << 63;

impl Likeness {
    /// As bits, to be stored.
    pub fn to_bits(self) -> u64 {
        match self {
            Likeness::Similarity(similarity) => similarity.value().to_bits(),
            Likeness::Hamming(distance) => HAMMING | u64::from(distance),
        }
    }

    /// From [`Likeness::to_bits`].
    pub fn from_bits(bits: u64) -> Self {
        match bits & HAMMING {
            0 => Likeness::Similarity(Similarity::new(f64::from_bits(bits))),
            _ => Likeness::Hamming(bits as u32),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_the_same_likeness_again() {
        let similarities =
            [(0, 1), (1, 3), (7, 9), (1, 1)].map(|(part, whole)| Similarity::ratio(part, whole));
        let all =
            similarities.map(Likeness::Similarity).into_iter().chain([0, 3, 128].map(Likeness::Hamming));
        for likeness in all {
            assert_eq!(Likeness::from_bits(likeness.to_bits()), likeness);
        }
    }
}
