//! The clusters of an index that grows.

mod beginning;
mod compaction;

pub use compaction::{Compacted, Compaction};

use crate::bulk::linked::LinkedDocuments;
use crate::error::Error;
use crate::index::Index;
use crate::state::Moment;
use beginning::Beginning;
use std::collections::HashMap;
use std::sync::Arc;

/// The clusters of an index. Documents that are alone take no memory, those in clusters 16 bytes. A copy shares these.
///
/// Links that come later are kept beside the clusters of the beginning, and take some hundred bytes each, until they are
/// [compacted](Clusters::compaction).
#[derive(Clone, Debug)]
pub struct Clusters {
    beginning: Arc<Beginning>,
    /// The links since then that united two clusters, in their order.
    links: Vec<[u64; 2]>,
    /// For the root of a cluster that was united with another the root of that one, or one that leads to it.
    next: HashMap<u64, u64>,
    /// For each root of a cluster that was united with others the roots of all of them, with its own.
    united: HashMap<u64, Vec<u64>>,
    /// Changes after which they are compacted, at least.
    least_changes: u64,
    /// How often they were compacted.
    compactions: u64,
}

impl Index {
    /// The clusters of its documents, without those that were removed, or have expired and were dropped.
    ///
    /// # Errors
    /// [`Error`] if the index is damaged, or if 2³² documents or more are in clusters.
    pub fn clusters(&self) -> Result<Clusters, Error> {
        let is_dead = |number| self.state.is_dead(number, Moment::LATEST);
        let (living, _) = self.linked().and_then(|linked| linked.living(is_dead)).map_err(Error::of_index)?;
        Ok(Clusters::new(living, self.sizes.compaction))
    }
}

impl Clusters {
    fn new(linked: LinkedDocuments, least_changes: u64) -> Self {
        Clusters {
            beginning: Arc::new(Beginning::new(linked)),
            links: Vec::new(),
            next: HashMap::new(),
            united: HashMap::new(),
            least_changes,
            compactions: 0,
        }
    }

    /// How often they were compacted. Each time other documents may stand for the clusters.
    pub fn compactions(&self) -> u64 {
        self.compactions
    }

    /// The document that stands for the cluster of `number`: the same one for all members, until the cluster is united with another one, or
    /// compacted.
    pub fn root(&self, number: u64) -> u64 {
        let mut root =
            self.beginning.members(number).and_then(|mut members| members.next()).unwrap_or(number);
        while let Some(&next) = self.next.get(&root) {
            root = next;
        }
        root
    }

    /// Unites the clusters of two documents.
    pub fn unite(&mut self, a: u64, b: u64) {
        let roots = [self.root(a), self.root(b)];
        if roots[0] == roots[1] {
            return;
        }
        self.links.push([a, b]);
        let size = |root: u64| self.united.get(&root).map_or(1, Vec::len);
        // The smaller list moves, so that each is moved rarely, and chains of roots are short.
        let [small, large] = if size(roots[0]) <= size(roots[1]) { roots } else { [roots[1], roots[0]] };
        let moved = self.united.remove(&small).unwrap_or_else(|| vec![small]);
        self.united.entry(large).or_insert_with(|| vec![large]).extend(moved);
        self.next.insert(small, large);
    }

    /// The members of the cluster of `number`, ascending: `number` alone if it is in none.
    pub fn members(&self, number: u64) -> Vec<u64> {
        let root = self.root(number);
        let alone = [root];
        let roots = self.united.get(&root).map_or(&alone[..], |roots| &roots[..]);
        let mut members = Vec::new();
        for &root in roots {
            match self.beginning.members(root) {
                Some(of_root) => members.extend(of_root),
                None => members.push(root),
            }
        }
        members.sort_unstable();
        members
    }
}

#[cfg(test)]
mod tests;
