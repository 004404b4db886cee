//! How a plan makes SimHash fingerprints, which are near, and how features weigh.
//!
//! Not for: making fingerprints, which is done in `simhash`.

use crate::error::PlanError;

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
    pub(crate) fn least(self, total: u64) -> u64 {
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

/// The value of a bit with as much weight for it as against it.
///
/// Libraries differ in this. It matters for short texts: with eight features a bit is tied in 27 % of cases, with 100
/// features in 8 %.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Weighting {
    /// See [`Weights::Set`](crate::Weights::Set).
    #[default]
    Set,
    /// See [`Weights::Tf`](crate::Weights::Tf).
    Tf,
    /// See [`Weights::LogTf`](crate::Weights::LogTf).
    LogTf,
    /// See [`Weights::TfIdf`](crate::Weights::TfIdf).
    TfIdf,
    /// See [`Weights::Levels`](crate::Weights::Levels).
    Levels,
}

impl Weighting {
    /// Every weighting, with its name in options and files.
    pub const ALL: [(&'static str, Weighting); 5] = [
        ("set", Weighting::Set),
        ("tf", Weighting::Tf),
        ("log-tf", Weighting::LogTf),
        ("tf-idf", Weighting::TfIdf),
        ("levels", Weighting::Levels),
    ];

    /// The name in options and files.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}
