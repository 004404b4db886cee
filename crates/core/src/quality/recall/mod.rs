//! Recall: the share of similar pairs that was found, estimated from the found pairs or from a sample of documents.

mod chance;
mod found;
mod sampled;

pub use sampled::DocumentPairs;

/// The share of the pairs at or above the threshold that was found, with an interval of 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recall {
    /// The estimated share.
    pub recall: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Recall {
    /// The recall of a search that finds everything.
    pub const ALL: Recall = Recall { recall: 1.0, low: 1.0, high: 1.0 };
}

#[cfg(test)]
mod tests;
