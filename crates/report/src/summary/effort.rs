//! Time and memory of a run.

use lookalike_engine::clock::{Clock, Seconds};
use lookalike_engine::work::{Work, memory};
use serde::Serialize;

/// How long a run took, and how much memory.
#[derive(Clone, Debug, Serialize)]
pub struct EffortSummary {
    /// Wall time of every stage, and `total`.
    pub seconds: Seconds,
    /// The most memory that the process has held, without the page cache. `None` where the system does not report it.
    pub peak_memory_bytes: Option<u64>,
}

impl EffortSummary {
    /// Ends a run in memory.
    pub fn finish(clock: Clock) -> Self {
        EffortSummary { seconds: clock.finish(), peak_memory_bytes: memory::peak() }
    }

    /// Ends a run that may have put things on disk.
    pub fn finish_search(clock: Clock, work: &Work) -> Self {
        match work.folder() {
            Some(folder) => {
                EffortSummary { seconds: clock.finish(), peak_memory_bytes: folder.peak_memory() }
            }
            None => Self::finish(clock),
        }
    }

    /// Wall time of the whole run, in seconds.
    pub fn total(&self) -> f64 {
        self.seconds.get("total").copied().unwrap_or_default()
    }
}
