//! The memory that the process holds.

use crate::work::platform::{anonymous_memory, peak_memory};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// The most memory that this process has held at once, in bytes, or `None` if the system does not say.
pub fn peak() -> Option<u64> {
    peak_memory()
}

/// Measures again and again how much memory the process holds, without the page cache. Dropping it ends this.
///
/// The system keeps no such peak: its own counts files that are mapped.
pub struct MemoryWatch {
    peak: Arc<AtomicU64>,
    is_over: Arc<AtomicBool>,
}

/// The time between two measurements. A peak that is shorter is seldom seen.
const INTERVAL: Duration = Duration::from_millis(10);

impl MemoryWatch {
    /// Starts a thread that measures.
    pub fn start() -> Self {
        let (peak, is_over) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let watch = MemoryWatch { peak: Arc::clone(&peak), is_over: Arc::clone(&is_over) };
        // Without memory for one more thread, only the last measurement counts.
        let _ = std::thread::Builder::new().spawn(move || {
            while !is_over.load(Ordering::Relaxed) {
                peak.fetch_max(anonymous_memory().unwrap_or(0), Ordering::Relaxed);
                std::thread::sleep(INTERVAL);
            }
        });
        watch
    }

    /// The most memory so far, or `None` if the system does not say.
    pub fn peak(&self) -> Option<u64> {
        let now = anonymous_memory()?;
        Some(self.peak.load(Ordering::Relaxed).max(now))
    }
}

impl Drop for MemoryWatch {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}
