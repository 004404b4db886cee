//! Two documents that are similar, and how much.

use super::Similarity;
use std::fmt;

/// Two documents, `a` before `b`, that are similar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// The earlier document.
    pub a: u32,
    /// The later document.
    pub b: u32,
    /// How much.
    pub score: Score,
}

/// How similar two documents are: counted, not estimated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Score {
    /// By the measure of the plan.
    Similarity(Similarity),
    /// By the bits in which their fingerprints differ; of their texts nothing is known.
    Hamming(u32),
}

impl Score {
    /// The similarity, if it was counted.
    pub fn similarity(self) -> Option<Similarity> {
        match self {
            Score::Similarity(similarity) => Some(similarity),
            Score::Hamming(_) => None,
        }
    }
}

/// The sign of a number, which no similarity has.
const HAMMING: u64 = 1 << 63;

impl Score {
    /// As bits, to be stored.
    pub fn to_bits(self) -> u64 {
        match self {
            Score::Similarity(similarity) => similarity.value().to_bits(),
            Score::Hamming(distance) => HAMMING | u64::from(distance),
        }
    }

    /// From [`Score::to_bits`].
    pub fn from_bits(bits: u64) -> Self {
        match bits & HAMMING {
            0 => Score::Similarity(Similarity::new(f64::from_bits(bits))),
            _ => Score::Hamming(bits as u32),
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Similarity(similarity) => similarity.fmt(f),
            Score::Hamming(distance) => distance.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_the_same_score_again() {
        let similarities =
            [(0, 1), (1, 3), (7, 9), (1, 1)].map(|(part, whole)| Similarity::ratio(part, whole));
        let all = similarities.map(Score::Similarity).into_iter().chain([0, 3, 128].map(Score::Hamming));
        for score in all {
            assert_eq!(Score::from_bits(score.to_bits()), score);
        }
    }
}
