//! The first living document of each cluster.

use super::linked::LinkedDocuments;
use crate::error::Error;
use std::collections::{BTreeMap, BTreeSet};

/// The first living document of each cluster that some living documents are in.
pub(super) struct LivingHeads {
    linked: LinkedDocuments,
    /// The first living document of each cluster whose first document is dead.
    instead: BTreeMap<u64, u64>,
}

impl LivingHeads {
    /// Of the clusters of `documents`, which are alive.
    pub(super) fn new(
        mut linked: LinkedDocuments,
        documents: &[u64],
        is_dead: impl Fn(u64) -> Result<bool, Error>,
    ) -> Result<Self, Error> {
        let mut dead = BTreeSet::new();
        for first in documents.iter().map(|&document| linked.first(document)) {
            if !dead.contains(&first) && is_dead(first)? {
                dead.insert(first);
            }
        }
        let mut instead = BTreeMap::new();
        // Nothing but the links says who is in a cluster, so all of them are searched. Few first documents are dead.
        for place in 0..if dead.is_empty() { 0 } else { linked.documents().len() } {
            let document = linked.documents()[place];
            let first = linked.first(document);
            if dead.contains(&first) && !instead.contains_key(&first) && !is_dead(document)? {
                instead.insert(first, document);
            }
        }
        Ok(LivingHeads { linked, instead })
    }

    /// The first living document of the cluster of `document`, or `document` itself if it is in no cluster.
    pub(super) fn first(&mut self, document: u64) -> u64 {
        let first = self.linked.first(document);
        self.instead.get(&first).copied().unwrap_or(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_living_document_stands_for_a_dead_one() {
        let linked = LinkedDocuments::new(&[&[[1, 4], [1, 6], [1, 9], [2, 3], [7, 8]]]).unwrap();
        let is_dead = |number| Ok([1, 4, 3, 7].contains(&number));
        let mut heads = LivingHeads::new(linked, &[2, 5, 8, 9], is_dead).unwrap();
        let firsts = [6, 9, 2, 5, 8].map(|document| heads.first(document));
        assert_eq!(firsts, [6, 6, 2, 5, 8]);
    }
}
