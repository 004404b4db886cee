//! Links that are decided and not on the disk yet.

use lookalike_index::Clusters;
use std::collections::HashMap;

/// Links that are decided and not on the disk yet, and the clusters that they unite.
#[derive(Debug, Default)]
pub(crate) struct UnfinishedLinks {
    /// Links with the sequence number of each, in order.
    links: Vec<(u64, [u64; 2])>,
    /// Those of them that were taken for a commit.
    taken: usize,
    /// For the root of a cluster the root of one that it was united with, or of one that leads to it.
    next: HashMap<u64, u64>,
    /// How often the clusters on the disk had been compacted when these were their roots.
    compactions: u64,
}

impl UnfinishedLinks {
    pub(crate) fn push(&mut self, sequence: u64, link: [u64; 2]) {
        self.links.push((sequence, link));
    }

    /// Unites two clusters. On the disk these documents are their roots.
    pub(crate) fn unite(&mut self, a: u64, b: u64) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.next.insert(b, a);
        }
    }

    /// The document that stands for a cluster whose root is `root` on the disk.
    ///
    /// Two clusters that were united in part on the disk may have two of them for a moment. A document is then linked to both. Two that are not
    /// united never have the same one: a document leads only to documents of its own cluster.
    pub(crate) fn root(&self, mut root: u64) -> u64 {
        while let Some(&next) = self.next.get(&root) {
            root = next;
        }
        root
    }

    /// The links since the last call.
    pub(crate) fn take(&mut self) -> Vec<[u64; 2]> {
        let links = self.links[self.taken..].iter().map(|&(_, link)| link).collect();
        self.taken = self.links.len();
        links
    }

    /// Forgets the links before `sequence`: they are on the disk, as `clusters` has them.
    pub(crate) fn finish(&mut self, sequence: u64, clusters: &Clusters) {
        let finished = self.links.partition_point(|&(at, _)| at < sequence);
        self.links.drain(..finished);
        self.taken -= finished;
        self.find_roots(clusters);
    }

    /// Finds the roots of `clusters` again, if these were compacted.
    pub(crate) fn follow(&mut self, clusters: &Clusters) {
        if self.compactions != clusters.compactions() {
            self.find_roots(clusters);
        }
    }

    fn find_roots(&mut self, clusters: &Clusters) {
        self.compactions = clusters.compactions();
        self.next.clear();
        for &[a, b] in &self.links.iter().map(|&(_, link)| link).collect::<Vec<_>>() {
            self.unite(clusters.root(a), clusters.root(b));
        }
    }
}
