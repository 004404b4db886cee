//! When clusters are compacted, and on which thread.

use crate::shared::SharedSeen;
use lookalike_index::{Compacted, Error as IndexError};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

/// Compacts the clusters after enough changes. It waits for its thread when it is dropped.
#[derive(Debug)]
pub(crate) struct Compactor {
    shared: Arc<SharedSeen>,
    /// The number of changes in the index when the last compaction began.
    last: u64,
    thread: Option<JoinHandle<Result<Compacted, IndexError>>>,
}

impl Compactor {
    pub(crate) fn new(shared: Arc<SharedSeen>) -> Self {
        let last = shared.reader.snapshot().sequence();
        Compactor { shared, last, thread: None }
    }

    /// Replaces the clusters if they were compacted meanwhile, and begins a compaction if there are enough changes since the last one. To be
    /// called after the links of a commit were made, by the thread that makes them. There are `changes` in the index now.
    pub(crate) fn look(&mut self, changes: u64) {
        if let Some(thread) = self.thread.take_if(|thread| thread.is_finished())
            // If it fails, the clusters stay as they are. It is tried again after as many changes. Requests that read a damaged file say so.
            && let Ok(Ok(compacted)) = thread.join()
        {
            self.shared.clusters.replace(compacted);
        }
        if self.thread.is_some() || !self.shared.clusters.read().is_to_compact(changes - self.last) {
            return;
        }
        self.last = changes;
        let shared = Arc::clone(&self.shared);
        let compacted = move || shared.clusters.compacted(&shared.reader);
        self.thread = thread::Builder::new().name("lookalike clusters".to_owned()).spawn(compacted).ok();
    }
}

impl Drop for Compactor {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
