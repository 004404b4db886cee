//! The progress of a run, which the calling thread asks for. Worker threads only count: one that called Python could wait for ever.

use lookalike_engine::progress::{Advance, Observer, Unit};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Counts the work of the stages of a run, and keeps its notes.
#[derive(Debug, Default)]
pub(crate) struct CallProgress {
    /// The stages so far. The last one goes on.
    stages: Mutex<Vec<Arc<StageCounter>>>,
    notes: Mutex<Vec<String>>,
}

#[derive(Debug)]
struct StageCounter {
    name: &'static str,
    unit: Unit,
    total: Option<u64>,
    done: AtomicU64,
    started: Instant,
}

/// A counter of one stage.
struct Counter(Arc<StageCounter>);

impl Advance for Counter {
    fn advance(&self, done: u64) {
        self.0.done.fetch_add(done, Ordering::Relaxed);
    }
}

impl Observer for CallProgress {
    fn begin(&self, name: &'static str, unit: Unit, total: Option<u64>) -> Box<dyn Advance> {
        let (done, started) = (AtomicU64::new(0), Instant::now());
        let stage = Arc::new(StageCounter { name, unit, total, done, started });
        let mut stages = self.stages.lock().unwrap_or_else(PoisonError::into_inner);
        // A stage that comes again takes the memory that it has freed before.
        let is_new = stages.iter().all(|before| before.name != name);
        let frees = is_new && !stages.is_empty();
        stages.push(Arc::clone(&stage));
        drop(stages);
        if frees {
            give_memory_back();
        }
        Box::new(Counter(stage))
    }

    fn note(&self, text: &str) {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_owned());
    }
}

impl CallProgress {
    /// Calls `report` with the stage, the amount that is done, the total, its unit, and the seconds since the stage began.
    pub(crate) fn tell(&self, report: &Bound<'_, PyAny>) -> PyResult<()> {
        let stage = self.stages.lock().unwrap_or_else(PoisonError::into_inner).last().cloned();
        let Some(stage) = stage else { return Ok(()) };
        let done = stage.done.load(Ordering::Relaxed);
        let seconds = stage.started.elapsed().as_secs_f64();
        report.call1((stage.name, done, stage.total, unit_name(stage.unit), seconds))?;
        Ok(())
    }

    /// The notes of the run.
    pub(crate) fn notes(&self) -> Vec<String> {
        std::mem::take(&mut self.notes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Gives freed memory back to the system, so that the next stage does not come on top of it. The sketches of chunks, which are joined when all are
/// there, are blocks that glibc would keep: 65 MB of 200,000 documents.
fn give_memory_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: The call has no conditions.
    #[expect(unsafe_code, reason = "the standard library does not have it")]
    unsafe {
        libc::malloc_trim(0);
    }
}

/// At most ten reports a second.
pub(crate) const BETWEEN_REPORTS: Duration = Duration::from_millis(100);

fn unit_name(unit: Unit) -> &'static str {
    match unit {
        Unit::Bytes => "bytes",
        Unit::Documents => "documents",
        Unit::Rows => "rows",
        Unit::Bands => "bands",
        Unit::Parts => "parts",
        Unit::Rounds => "rounds",
    }
}
