//! How a plan makes SimHash fingerprints, which are near, and how features weigh.
//!
//! Not for: making fingerprints; that is `simhash`.

use crate::error::PlanError;

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
    pub(crate) fn least(self, total: u64) -> u64 {
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

/// The rules of [`Weights`], to be named and stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Weighting {
    /// See [`Weights::Set`].
    #[default]
    Set,
    /// See [`Weights::Tf`].
    Tf,
    /// See [`Weights::LogTf`].
    LogTf,
    /// See [`Weights::TfIdf`].
    TfIdf,
    /// See [`Weights::Levels`].
    Levels,
}

impl Weighting {
    /// Every rule, by the name that people give it.
    pub const ALL: [(&'static str, Weighting); 5] = [
        ("set", Weighting::Set),
        ("tf", Weighting::Tf),
        ("log-tf", Weighting::LogTf),
        ("tf-idf", Weighting::TfIdf),
        ("levels", Weighting::Levels),
    ];

    /// The name people give it.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}
