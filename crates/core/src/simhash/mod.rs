//! SimHash: fingerprints of 64 or 128 bits whose Hamming distance grows with the angle between two documents.
//!
//! Every feature votes on every bit with its weight: for the bit if the feature's own bit is set, and against it
//! otherwise. Bit `i` is set if `Σ w · (2 · bit_i − 1) > 0`. Two documents at an angle of θ differ in `θ / π` of their
//! bits on average. Equal documents differ in none, unrelated ones in half. Fingerprints are small and coarse: only a
//! tenth of the pairs with a cosine of 0.95 are within a distance of 3 in 64 bits. For documents of few features they
//! say little.
//!
//! Sources: Charikar, "Similarity estimation techniques from rounding algorithms", STOC 2002. Manku, Jain and Das
//! Sarma, "Detecting near-duplicates for web crawling", WWW 2007.
//!
//! Not for: cutting texts into features (`sketch`), or finding pairs of near fingerprints (`hamming`).

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

/// The settings by which a plan makes and compares fingerprints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SimHash {
    /// Bits of a fingerprint.
    pub bits: Bits,
    /// The rule for ties.
    pub tie: Tie,
    /// Bits in which two fingerprints may differ.
    pub hamming: u32,
    /// Whether the plan's measure then verifies such pairs.
    pub verified: bool,
}

impl SimHash {
    /// The probability that the fingerprints of two documents differ in at most [`SimHash::hamming`] bits. `cosine` is
    /// the cosine of their weights.
    ///
    /// It assumes documents of many features. The distance is then binomial, with a probability of θ / π for each bit.
    pub fn probability(self, cosine: f64) -> f64 {
        self.within(differing::of_angle(cosine))
    }

    /// The same probability for two sets with this overlap. It holds for few features as well.
    pub fn probability_of_sets(self, overlap: Overlap) -> f64 {
        self.within(differing::of_sets(overlap, self.tie))
    }

    /// The same probability for two documents with weights.
    ///
    /// `None` if they have too few features, or differ in too few, for the angle to decide.
    pub fn probability_of_weighted(self, left: Set<'_>, right: Set<'_>) -> Option<f64> {
        differing::of_weighted(left, right, self.tie).map(|differs| self.within(differs))
    }

    /// The probability that at most [`SimHash::hamming`] bits differ, if each differs with probability `differs`.
    fn within(self, differs: f64) -> f64 {
        binomial_below(self.bits.count(), differs, self.hamming + 1)
    }
}

/// The number of bits in a fingerprint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "u32", try_from = "u32")
)]
pub enum Bits {
    /// 64 bits, the usual number.
    #[default]
    B64,
    /// 128 bits. The low half is the 64-bit fingerprint. For the high half, features vote with the bits of
    /// `fmix64(feature ^ 0x243f6a8885a308d3)`. This halves the variance of the estimated angle.
    B128,
}

impl Bits {
    /// The number of bits.
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

/// The value of a bit with as much weight for it as against it.
///
/// Libraries differ in this. It matters for short texts: with eight features a bit is tied in 27 % of cases, with 100
/// features in 8 %.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Tie {
    /// The bit is 0. It is set only if the sum is above zero.
    #[default]
    Zero,
    /// The bit is 1. It is set if the sum is not below zero.
    One,
}

impl Tie {
    /// The least weight that sets a bit, if `total` is the weight for and against it.
    fn least(self, total: u64) -> u64 {
        match self {
            Tie::Zero => total / 2 + 1,
            Tie::One => total.div_ceil(2),
        }
    }

    /// The name in options and files.
    pub fn name(self) -> &'static str {
        match self {
            Tie::Zero => "zero",
            Tie::One => "one",
        }
    }
}
