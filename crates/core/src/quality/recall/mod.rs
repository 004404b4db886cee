//! Recall: the share of similar pairs that was found, estimated from the found pairs or from a sample of documents.
//!
//! **Bands.** `Banding::for_recall` takes the most rows whose chance to find a pair at the threshold, 1 − (1 − tʳ)ᵇ, is
//! at least the wanted one. 21 × 6 finds 0.9983 at 0.8. Below 0.04, with 128 values, no banding reaches the wanted
//! recall, and the summary warns. A cosine of s is searched by the least Jaccard similarity that it can have, s².
//!
//! **Filter.** Candidates must agree in enough values of their signatures (`SignatureFilter`). By the binomial
//! distribution this loses at most 1/50 of the loss that the wanted recall allows, and no more than the bands leave. A
//! pair's chance is the product of both. The true chance is a little greater, because each value that agrees helps with
//! both.
//!
//! **SimHash.** The distance is a binomial count. The chance that a bit differs is counted from the votes of the shared
//! features and of the others (`differing`). Few votes tie, and one more feature turns bits more often than the angle
//! says. From a thousand votes on, the angle is used. With weights no votes are counted. The angle is then used where
//! both documents have thirty features or more of about the same weight, and so do their differences.
//!
//! **The estimate.** Each found pair is weighted with the inverse of its chance (Horvitz and Thompson). No recall is
//! reported if a chance is unknown, or if sketch and measure differ (`Plan::recall_is_known`). The interval treats
//! missed pairs as a negative binomial count. It is the widest for pairs that are missed one by one, cluster by
//! cluster, or anything in between. It also allows for one more cluster, of the pairs that are hardest to find.
//!
//! **The audit.** `--audit` draws documents independently, so its interval counts documents. If the run's own pairs
//! show that a few documents have most of the pairs, the interval is wider. An experiment
//! (bench/results/2026-11-23-coverage.md) counts how often these intervals hold.

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
