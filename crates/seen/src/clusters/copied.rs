//! Clusters of documents that are copied into another index.

use std::collections::BTreeMap;

/// Puts documents of one cluster together. In the other index they have other numbers.
#[derive(Debug, Default)]
pub(crate) struct CopiedLinks {
    /// The first document of each cluster that was copied, by the old number of the cluster's first document.
    firsts: BTreeMap<u64, u64>,
    /// Pairs of the first document and another one of a cluster.
    pub(crate) links: Vec<[u64; 2]>,
}

impl CopiedLinks {
    /// Takes note of the new `number` of a document of `cluster`.
    pub(crate) fn add(&mut self, cluster: u64, number: u64) {
        let first = *self.firsts.entry(cluster).or_insert(number);
        if first != number {
            self.links.push([first, number]);
        }
    }
}
