//! How much memory the process has taken.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// The most memory that this process has held at once, in bytes; `None` where the system does not say.
pub fn peak() -> Option<u64> {
    status("VmHWM:")
}

fn status(key: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// Looks how much memory the process holds, the page cache aside, as long as it is there.
///
/// The system keeps no such peak: files that are mapped count in what it calls the resident set.
pub struct Watch {
    most: Arc<AtomicU64>,
    over: Arc<AtomicBool>,
}

/// How often: what is held for less than that is seldom seen.
const EVERY: Duration = Duration::from_millis(10);

impl Watch {
    /// Starts to look.
    pub fn start() -> Self {
        let (most, over) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let watch = Watch { most: Arc::clone(&most), over: Arc::clone(&over) };
        // Where there is no room for one more thread, only what is held at the end is known.
        let _ = std::thread::Builder::new().spawn(move || {
            while !over.load(Ordering::Relaxed) {
                most.fetch_max(status("RssAnon:").unwrap_or(0), Ordering::Relaxed);
                std::thread::sleep(EVERY);
            }
        });
        watch
    }

    /// The most so far; `None` where the system does not say.
    pub fn most(&self) -> Option<u64> {
        let now = status("RssAnon:")?;
        Some(self.most.load(Ordering::Relaxed).max(now))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}
