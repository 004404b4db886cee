//! Clusters by size.

/// Clusters of similar size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClusterSizes {
    /// The least number of documents.
    pub from: u64,
    /// The greatest number of documents.
    pub to: u64,
    /// Clusters of such a size.
    pub clusters: u64,
    /// The documents of these clusters.
    pub documents: u64,
}

impl ClusterSizes {
    /// Counts clusters that have so many documents, two at least, in powers of two.
    pub(super) fn of(clusters: impl Iterator<Item = usize>) -> Vec<Self> {
        let mut sizes: Vec<ClusterSizes> = Vec::new();
        for documents in clusters {
            let class = documents.ilog2() as usize - 1;
            while sizes.len() <= class {
                let from = 2 << sizes.len();
                sizes.push(ClusterSizes { from, to: 2 * from - 1, clusters: 0, documents: 0 });
            }
            sizes[class].clusters += 1;
            sizes[class].documents += documents as u64;
        }
        sizes
    }
}
