//! Values between 0 and 1.

mod estimate;
mod score;

pub use estimate::Estimate;
pub use score::{Match, Score};

use std::fmt;

/// A margin for rounding: the filters must not drop a pair whose similarity equals the threshold.
pub(crate) const SLACK: f64 = 1.0 - 1e-9;

/// A similarity from 0 to 1. Greater is closer. Printed with six decimals.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "f64", try_from = "f64"))]
pub struct Similarity(f64);

impl Similarity {
    /// 1, the similarity of a document to itself.
    pub const SAME: Similarity = Similarity(1.0);

    /// `part / whole`, and 0 for 0 / 0.
    pub(crate) fn ratio(part: u32, whole: u32) -> Self {
        Similarity(if whole == 0 { 0.0 } else { f64::from(part) / f64::from(whole) })
    }

    /// `value` clamped to 0 to 1, and 0 if it is NaN.
    pub(crate) fn new(value: f64) -> Self {
        Similarity(if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) })
    }

    /// A similarity that was counted elsewhere. `None` if `value` is not from 0 to 1.
    pub fn counted(value: f64) -> Option<Self> {
        // The bits of a score have the sign for distances, and -0.0 has one too.
        (0.0..=1.0).contains(&value).then_some(Similarity(value + 0.0))
    }

    /// The similarity as a number.
    pub fn value(self) -> f64 {
        self.0
    }
}

impl From<Similarity> for f64 {
    fn from(similarity: Similarity) -> Self {
        similarity.value()
    }
}

impl TryFrom<f64> for Similarity {
    type Error = &'static str;

    fn try_from(value: f64) -> Result<Self, &'static str> {
        Similarity::counted(value).ok_or("a similarity is from 0 to 1")
    }
}

impl fmt::Display for Similarity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.6}", self.0)
    }
}
