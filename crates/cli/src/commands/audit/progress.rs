//! The progress of a crawl, on a terminal and on the live page.

use super::provisional::ProvisionalPairs;
use lookalike_audit::SiteBlock;
use lookalike_crawl::serve::{CrawlProgress, Live};
use lookalike_crawl::{CrawlCounts, CrawlMonitor, CrawlObserver, Visit};
use lookalike_engine::progress::{Advance, Monitor, Observer, Unit};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Shows how many URLs were visited.
struct Visits {
    stage: Box<dyn Advance>,
    observer: Arc<dyn Observer>,
    is_quiet: bool,
    live: Option<(Arc<Live>, Arc<ProvisionalPairs>)>,
    bytes: AtomicU64,
    start: Instant,
}

/// The monitor of a crawl that reports to this monitor, and to a page.
pub(super) fn of_crawl(
    monitor: &Monitor,
    is_quiet: bool,
    live: Option<(Arc<Live>, Arc<ProvisionalPairs>)>,
) -> CrawlMonitor {
    let observer = monitor.observer.clone().map(|observer| {
        let stage = observer.begin("crawling", Unit::Documents, None);
        let (bytes, start) = (AtomicU64::new(0), Instant::now());
        Arc::new(Visits { stage, observer, is_quiet, live, bytes, start }) as Arc<dyn CrawlObserver>
    });
    CrawlMonitor { observer, interrupt: monitor.interrupt.clone() }
}

impl fmt::Debug for Visits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Visits").finish_non_exhaustive()
    }
}

impl CrawlObserver for Visits {
    fn visited(&self, _: u32, visit: &Visit, blocks: &[SiteBlock], counts: CrawlCounts) {
        self.stage.advance(1);
        let bytes = self.bytes.fetch_add(visit.sent_bytes, Ordering::Relaxed) + visit.sent_bytes;
        if let Some((live, provisional)) = &self.live {
            let (shown, pairs) = provisional.add(visit, if visit.is_page() { blocks } else { &[] });
            live.add_pairs(shown);
            live.set_progress(CrawlProgress {
                found: counts.found.into(),
                fetched: counts.visited.into(),
                skipped: counts.skipped.into(),
                bytes,
                seconds: self.start.elapsed().as_secs(),
                pairs,
                is_running: true,
            });
        }
    }

    fn note(&self, text: &str) {
        if !self.is_quiet {
            self.observer.note(text);
        }
    }
}

impl Drop for Visits {
    fn drop(&mut self) {
        // The crawl is over, or was stopped.
        if let Some((live, _)) = &self.live {
            live.end_crawl();
        }
    }
}
