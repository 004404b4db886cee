//! The clusters in memory, and how they stay small.
//!
//! A thread compacts a copy of them in the background, while others read them and the committer unites some. The committer then replaces them.
//!
//! **Clusters in memory.** A document in a cluster takes 16 bytes, and a later link some hundred. A thread compacts the
//! clusters after 65,536 changes, or after half as many as there are documents in clusters. Documents that were
//! removed, or expired an hour ago, are left out then, and those that they connected stay together. The links of the
//! disk make the same clusters after a restart. Links that come meanwhile are made again in the compact clusters. One
//! that names a document that was left out goes to a living one of its cluster. The thread that reports canonical
//! documents has its own clusters, and compacts them by the same rule: it must know a removed document until that is
//! reported (`follower`).

mod compactor;
mod copied;
mod links;

pub(super) use compactor::Compactor;
pub(crate) use copied::CopiedLinks;
pub(super) use links::UnfinishedLinks;

use lookalike_index::live::IndexReader;
use lookalike_index::{Clusters, Compacted, Error as IndexError};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

/// The clusters that are on the disk.
#[derive(Debug)]
pub(super) struct StoredClusters {
    clusters: RwLock<Clusters>,
}

impl StoredClusters {
    pub(super) fn new(clusters: Clusters) -> Self {
        StoredClusters { clusters: RwLock::new(clusters) }
    }

    pub(super) fn read(&self) -> RwLockReadGuard<'_, Clusters> {
        self.clusters.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Unites the clusters of the two documents of each link, which is on the disk.
    pub(super) fn unite(&self, links: &[[u64; 2]]) {
        if !links.is_empty() {
            let mut clusters = self.clusters.write().unwrap_or_else(PoisonError::into_inner);
            links.iter().for_each(|&[a, b]| clusters.unite(a, b));
        }
    }

    /// What they are now without the documents that are dead, in their compact form. They are read and united meanwhile.
    fn compacted(&self, reader: &IndexReader) -> Result<Compacted, IndexError> {
        let compaction = self.read().compaction();
        let snapshot = reader.snapshot();
        compaction.compact(|number| Ok(snapshot.is_removed(number) || snapshot.is_dropped(number)?))
    }

    /// Replaces them, and makes the links since `compacted` was begun.
    ///
    /// To be called by the thread that unites them, after the links of all commits so far. A commit may have linked a document that it removed,
    /// and `compacted` leaves that out.
    fn replace(&self, compacted: Compacted) {
        let replaced = self.clusters.write().unwrap_or_else(PoisonError::into_inner).replace(compacted);
        // Without the lock: it takes a while.
        drop(replaced);
    }
}
