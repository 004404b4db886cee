//! Pairs and clusters that a search found.

use lookalike_engine::search::Monitoring;
use serde::Serialize;

/// Counts of a search for pairs.
#[derive(Clone, Debug, Serialize)]
pub struct FoundSummary {
    /// Pairs of documents that share a band, or whose fingerprints are near.
    pub candidates: u64,
    /// Pairs found and verified. `dedup` needs only the pairs that connect clusters, and for stars those of a removed and a kept document.
    pub pairs: u64,
    /// Figures to compare from run to run.
    pub monitoring: Monitoring,
    /// Clusters of two or more.
    pub clusters: u64,
    /// Members of the largest cluster.
    pub largest_cluster: u64,
}
