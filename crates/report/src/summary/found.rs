//! Pairs and clusters that a search found.

use lookalike_engine::search::Monitoring;
use serde::Serialize;

/// Counts of a search for pairs.
#[derive(Clone, Debug, Serialize)]
pub struct FoundSummary {
    /// Pairs of documents that share a band, or whose fingerprints are near.
    pub candidates: u64,
    /// The share of all pairs of documents that are no candidates. `None` if there are fewer than two documents.
    pub reduction: Option<f64>,
    /// Pairs found and verified. `dedup` needs only the pairs that connect clusters, and for stars those of a removed and a kept document.
    pub pairs: u64,
    /// Figures to compare from run to run.
    pub monitoring: Monitoring,
    /// Clusters of two or more.
    pub clusters: u64,
    /// Members of the largest cluster.
    pub largest_cluster: u64,
}

impl FoundSummary {
    /// [`FoundSummary::reduction`] for so many candidates among so many documents.
    pub fn reduction_of(candidates: u64, documents: u64) -> Option<f64> {
        let pairs = documents as f64 * (documents as f64 - 1.0) / 2.0;
        (pairs > 0.0).then(|| (1.0 - candidates as f64 / pairs).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reduction_is_the_share_of_pairs_that_are_no_candidates() {
        assert_eq!(FoundSummary::reduction_of(0, 0), None);
        assert_eq!(FoundSummary::reduction_of(0, 1), None);
        assert_eq!(
            [0, 1].map(|candidates| FoundSummary::reduction_of(candidates, 2)),
            [Some(1.0), Some(0.0)]
        );
        assert_eq!(FoundSummary::reduction_of(45, 100), Some(1.0 - 45.0 / 4950.0));
    }
}
