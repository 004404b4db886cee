//! The clusters that lose a row, for people who look at a result.

use super::Decisions;
use std::collections::BTreeMap;

/// The number of a cluster, counted from 1, its first removed row, and the row that this one was compared with, unless it is of other data.
pub(super) type ReducedExample = (u64, u64, Option<u64>);

/// The clusters of which a row is removed. A cluster may keep all its rows: by `min_containment`, or by a number of documents to keep.
#[derive(Default)]
pub(super) struct ReducedClusters {
    /// How many of them have how many documents. Documents of other data count.
    pub(super) sizes: BTreeMap<u64, u64>,
    pub(super) examples: Vec<ReducedExample>,
}

impl Decisions {
    /// The clusters that lose a row, with examples of the first ones.
    pub(super) fn reduced(&self, examples: usize) -> ReducedClusters {
        let mut reduced = ReducedClusters::default();
        for (number, cluster) in (1..).zip(self.decided.decisions.clusters()) {
            let mut removed = cluster.decisions().filter(|(document, kept)| document != kept);
            let Some((row, other)) = removed.find_map(|(document, kept)| Some((self.row(document)?, kept)))
            else {
                continue;
            };
            *reduced.sizes.entry(cluster.members.len() as u64).or_default() += 1;
            if reduced.examples.len() < examples {
                reduced.examples.push((number, row, self.row(other)));
            }
        }
        reduced
    }
}
