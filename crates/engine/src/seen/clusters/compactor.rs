//! When clusters are compacted, and on which thread.

use crate::seen::shared::SharedSeen;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

/// Compacts the clusters after enough changes. It waits for its thread when it is dropped.
#[derive(Debug)]
pub(in crate::seen) struct Compactor {
    shared: Arc<SharedSeen>,
    /// The number of changes in the index when the last compaction began.
    last: u64,
    thread: Option<JoinHandle<()>>,
}

impl Compactor {
    pub(in crate::seen) fn new(shared: Arc<SharedSeen>) -> Self {
        let last = shared.reader.snapshot().sequence();
        Compactor { shared, last, thread: None }
    }

    /// Begins a compaction, if there are enough changes since the last one. There are `changes` in the index now.
    pub(in crate::seen) fn look(&mut self, changes: u64) {
        let is_at_work = self.thread.as_ref().is_some_and(|thread| !thread.is_finished());
        if is_at_work || !self.shared.clusters.read().is_to_compact(changes - self.last) {
            return;
        }
        self.last = changes;
        let shared = Arc::clone(&self.shared);
        // If it fails, or if there is no thread, the clusters stay as they are. It is tried again after as many changes. Requests that read a
        // damaged file say so.
        let compact = move || _ = shared.clusters.compact(&shared.reader);
        self.thread = thread::Builder::new().name("lookalike clusters".to_owned()).spawn(compact).ok();
    }
}

impl Drop for Compactor {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
