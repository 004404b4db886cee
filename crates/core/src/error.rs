//! What can be wrong with what the library is asked for.

use std::fmt::Display;

/// Why [`Options`](crate::Options) make no [`Plan`](crate::Plan).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A single option is out of its range.
    #[error("{option} is {value}; it must be {range}")]
    OutOfRange {
        /// The option's name.
        option: &'static str,
        /// What it was set to.
        value: String,
        /// What it may be.
        range: &'static str,
    },
    /// The bands take more values than the signature has.
    #[error("{bands} bands of {rows} rows do not fit a signature of {num_perm} values; raise num_perm")]
    Banding {
        /// Bands asked for.
        bands: usize,
        /// Rows asked for.
        rows: usize,
        /// Values per signature.
        num_perm: usize,
    },
}

impl PlanError {
    pub(crate) fn out_of_range(option: &'static str, value: impl Display, range: &'static str) -> Self {
        PlanError::OutOfRange { option, value: value.to_string(), range }
    }
}

/// A Hamming distance that cannot be searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("distance is {distance}; it must be at most {most}")]
pub struct TooFar {
    /// The distance asked for.
    pub distance: u32,
    /// The largest that can be searched for here.
    pub most: u32,
}
