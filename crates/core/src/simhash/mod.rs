//! SimHash: fingerprints of 64 or 128 bits whose Hamming distance grows with the angle between two documents.
//!
//! Every feature votes on every bit, for it where the feature's own bit is set and against it where not, with the
//! feature's weight: bit `i` is set if `Σ w · (2 · bit_i − 1) > 0`. Two documents at an angle of θ differ in `θ / π` of
//! their bits on average; equal ones in none, unrelated ones in half. Fingerprints are tiny, and blunt: a distance of 3
//! in 64 bits is met by only a tenth of the pairs whose cosine is 0.95. For documents of few features they say little.
//! Source: Charikar, "Similarity estimation techniques from rounding algorithms", STOC 2002; Manku, Jain and Das Sarma,
//! "Detecting near-duplicates for web crawling", WWW 2007.
//!
//! Not for: cutting texts into features (`sketch`), finding pairs of near fingerprints.

mod counts;
mod differing;
mod fingerprint;
mod fingerprinter;
mod fixed;
mod format;
mod frequencies;
mod near;
mod table;
mod terms;
mod weights;

pub use fingerprint::Fingerprint;
pub use fingerprinter::Fingerprinter;
pub use frequencies::DocumentFrequencies;
pub use near::{HammingCandidates, PairVerifier};
pub use table::{Codes, FingerprintTable};
pub use weights::{FeatureLevels, Weighting, Weights};

use crate::compare::measure::Set;
use crate::compare::verify::Overlap;
use crate::error::PlanError;
use crate::quality::probability::binomial_below;

/// How a plan makes fingerprints, and which it calls near.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SimHash {
    /// Bits of a fingerprint.
    pub bits: Bits,
    /// What becomes of ties.
    pub tie: Tie,
    /// Bits in which two fingerprints may differ.
    pub hamming: u32,
    /// Are such pairs then compared by the plan's measure?
    pub verified: bool,
}

impl SimHash {
    /// The probability that the fingerprints of two documents of many features, whose weights have the cosine `cosine`, differ in no
    /// more than [`SimHash::hamming`] bits: that of a binomial distribution with θ / π.
    pub fn probability(self, cosine: f64) -> f64 {
        self.within(differing::of_angle(cosine))
    }

    /// The same for two sets that overlap so, however few their features are.
    pub fn probability_of_sets(self, overlap: Overlap) -> f64 {
        self.within(differing::of_sets(overlap, self.tie))
    }

    /// The same for two documents with weights; `None` where they have too few features for the angle to tell, or differ in too
    /// few.
    pub fn probability_of_weighted(self, left: Set<'_>, right: Set<'_>) -> Option<f64> {
        differing::of_weighted(left, right, self.tie).map(|differs| self.within(differs))
    }

    /// The probability that few enough bits differ, each of which does so often.
    fn within(self, differs: f64) -> f64 {
        binomial_below(self.bits.count(), differs, self.hamming + 1)
    }
}

/// How many bits a fingerprint has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "u32", try_from = "u32")
)]
pub enum Bits {
    /// 64, as everybody's.
    #[default]
    B64,
    /// 128: the 64 as above, and in the high half 64 more, voted on by `fmix64(feature ^ 0x243f6a8885a308d3)`. They halve
    /// the variance of what the distance tells.
    B128,
}

impl Bits {
    /// The number.
    pub fn count(self) -> u32 {
        match self {
            Bits::B64 => 64,
            Bits::B128 => 128,
        }
    }
}

impl From<Bits> for u32 {
    fn from(bits: Bits) -> u32 {
        bits.count()
    }
}

impl TryFrom<u32> for Bits {
    type Error = PlanError;

    fn try_from(bits: u32) -> Result<Bits, PlanError> {
        match bits {
            64 => Ok(Bits::B64),
            128 => Ok(Bits::B128),
            _ => Err(PlanError::out_of_range("bits", bits, "64 or 128")),
        }
    }
}

/// What becomes of a bit with as much weight for it as against it.
///
/// Libraries differ. It matters for short texts: with eight features a bit is a tie in 27 % of cases, with 100 in 8 %.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Tie {
    /// The bit is 0: set only if the sum is above zero.
    #[default]
    Zero,
    /// The bit is 1: set if the sum is not below zero.
    One,
}

impl Tie {
    /// The least weight for a bit that sets it, of `total` for and against it.
    fn least(self, total: u64) -> u64 {
        match self {
            Tie::Zero => total / 2 + 1,
            Tie::One => total.div_ceil(2),
        }
    }

    /// The name people give it.
    pub fn name(self) -> &'static str {
        match self {
            Tie::Zero => "zero",
            Tie::One => "one",
        }
    }
}
