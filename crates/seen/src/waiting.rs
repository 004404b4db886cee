//! The changes that wait for the sequencer, counted.

use super::changes::Change;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Changes that wait, at most. At 10,000 decisions a second they wait for half a second.
pub(super) const MOST_CHANGES: usize = 4096;

/// Bytes of changes that wait, at most: a few of the longest texts, or as many as may wait of usual ones.
const MOST_BYTES: usize = 64 << 20;

/// The changes that wait for the sequencer.
#[derive(Debug, Default)]
pub(super) struct WaitingChanges {
    changes: AtomicUsize,
    bytes: AtomicUsize,
}

impl WaitingChanges {
    pub(super) fn add(&self, change: &Change) {
        self.changes.fetch_add(change.len(), Ordering::Relaxed);
        self.bytes.fetch_add(change.bytes(), Ordering::Relaxed);
    }

    pub(super) fn remove(&self, change: &Change) {
        self.changes.fetch_sub(change.len(), Ordering::Relaxed);
        self.bytes.fetch_sub(change.bytes(), Ordering::Relaxed);
    }

    /// The number of changes.
    pub(super) fn changes(&self) -> usize {
        self.changes.load(Ordering::Relaxed)
    }

    /// Whether as many wait as may.
    pub(super) fn is_full(&self) -> bool {
        self.changes() >= MOST_CHANGES || self.bytes.load(Ordering::Relaxed) >= MOST_BYTES
    }
}
