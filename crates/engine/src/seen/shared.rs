//! What all threads share.

use super::check::Checker;
use super::meter::Meter;
use super::waiting::Waiting;
use lookalike_index::live::Reader;
use lookalike_index::{Clusters, DocumentEncoder};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};

/// What all threads share, besides the way to the sequencer.
#[derive(Debug)]
pub(super) struct SharedSeen {
    pub(super) reader: Reader,
    pub(super) checker: Checker,
    pub(super) encoder: DocumentEncoder,
    /// The clusters that are on the disk.
    pub(super) clusters: RwLock<Clusters>,
    pub(super) waiting: Waiting,
    pub(super) meter: Arc<dyn Meter>,
    /// Why the last change could not be written, if it could not.
    pub(super) failure: Mutex<Option<String>>,
}

impl SharedSeen {
    pub(super) fn clusters(&self) -> RwLockReadGuard<'_, Clusters> {
        self.clusters.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Unites the clusters of the two documents of each link, which is on the disk.
    pub(super) fn unite(&self, links: &[[u64; 2]]) {
        if !links.is_empty() {
            let mut clusters = self.clusters.write().unwrap_or_else(PoisonError::into_inner);
            links.iter().for_each(|&[a, b]| clusters.unite(a, b));
        }
    }
}
