//! The clusters in memory, and how they stay small.
//!
//! A thread compacts them in the background, while others read them and the committer unites some.

mod compactor;
mod links;

pub(super) use compactor::Compactor;
pub(super) use links::UnfinishedLinks;

use lookalike_index::live::Reader;
use lookalike_index::{Clusters, Error as IndexError};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

/// The clusters that are on the disk.
#[derive(Debug)]
pub(super) struct StoredClusters {
    clusters: RwLock<Clusters>,
    /// Held while a commit is finished and its links are made.
    committing: Mutex<()>,
}

impl StoredClusters {
    pub(super) fn new(clusters: Clusters) -> Self {
        StoredClusters { clusters: RwLock::new(clusters), committing: Mutex::default() }
    }

    pub(super) fn read(&self) -> RwLockReadGuard<'_, Clusters> {
        self.clusters.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// To be held from before a commit is finished until its links are [made](StoredClusters::unite).
    pub(super) fn committing(&self) -> MutexGuard<'_, ()> {
        self.committing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Unites the clusters of the two documents of each link, which is on the disk.
    pub(super) fn unite(&self, links: &[[u64; 2]]) {
        if !links.is_empty() {
            let mut clusters = self.clusters.write().unwrap_or_else(PoisonError::into_inner);
            links.iter().for_each(|&[a, b]| clusters.unite(a, b));
        }
    }

    /// Makes them compact, without the documents that are dead. They are read and united meanwhile.
    pub(super) fn compact(&self, reader: &Reader) -> Result<(), IndexError> {
        let compaction = self.read().compaction();
        let snapshot = reader.snapshot();
        let is_dead = |number| Ok(snapshot.is_removed(number) || reader.is_dropped(number)?);
        let compacted = compaction.compact(is_dead)?;
        // A document may have been linked and removed by one commit. Its links must be made before it is left out.
        let committing = self.committing();
        let replaced = self.clusters.write().unwrap_or_else(PoisonError::into_inner).replace(compacted);
        drop(committing);
        // Without a lock: it takes a while.
        drop(replaced);
        Ok(())
    }
}
