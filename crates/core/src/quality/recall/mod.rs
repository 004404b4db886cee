//! How much of what is similar was found: from the pairs that were found, or from documents that were looked at one by one.

mod chance;
mod found;
mod sampled;

pub use sampled::Found;

/// A share of the pairs at or above the threshold, and an interval of 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recall {
    /// The share of them that was found.
    pub recall: f64,
    /// It is not less, ...
    pub low: f64,
    /// ... and not more.
    pub high: f64,
}

impl Recall {
    /// Everything was found.
    pub const ALL: Recall = Recall { recall: 1.0, low: 1.0, high: 1.0 };
}

#[cfg(test)]
mod tests;
