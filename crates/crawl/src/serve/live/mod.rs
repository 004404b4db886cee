//! What the page shows while time goes on: the progress of the crawl, the results, and audits with changed settings.

mod audits;

use lookalike_audit::{Audit, AuditSettings};
use lookalike_report::audit::view::{AuditResults, CrawledSite};
use serde::Serialize;
use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// Provisional pairs that are kept for pages that connect.
const MOST_PROVISIONAL: usize = 200;

/// How far a crawl is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CrawlProgress {
    /// URLs that were found.
    pub found: u64,
    /// Pages that were fetched.
    pub fetched: u64,
    /// URLs that were skipped.
    pub skipped: u64,
    /// Bytes that were fetched.
    pub bytes: u64,
    /// Seconds since the crawl began.
    pub seconds: u64,
    /// Pairs that were seen so far. The audit may not confirm them.
    pub pairs: u64,
    /// Whether the crawl goes on. Results are then provisional.
    pub is_running: bool,
}

/// A pair that was seen during the crawl. The audit may not confirm it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeenPair {
    /// The URL of a page.
    pub a: String,
    /// The URL of the other page.
    pub b: String,
    /// How similar they are, from 0 to 1.
    pub similarity: f64,
}

/// What an audit in the background does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum AuditWork {
    #[default]
    Idle,
    Running,
    Failed(String),
}

/// Runs an audit with settings. It asks the last argument now and then whether to stop.
type Auditor = dyn Fn(&dyn CrawledSite, &AuditSettings, &(dyn Fn() -> bool + Sync)) -> Result<Audit, String>
    + Send
    + Sync;

/// What the page shows while time goes on.
pub struct Live {
    start: String,
    auditor: Box<Auditor>,
    state: Mutex<LiveState>,
    /// The number of the last change.
    changes: watch::Sender<u64>,
    stopping: watch::Sender<bool>,
    /// The number of the last audit. Audits with smaller numbers stop.
    runs: AtomicU64,
    /// One audit runs at a time.
    turn: Mutex<()>,
}

#[derive(Default)]
struct LiveState {
    progress: CrawlProgress,
    /// Pairs with the number of the change that brought them.
    provisional: VecDeque<(u64, SeenPair)>,
    settings: AuditSettings,
    /// An earlier crawl, with which results are compared.
    earlier: Option<Arc<dyn CrawledSite>>,
    site: Option<Arc<dyn CrawledSite>>,
    results: Option<Arc<AuditResults>>,
    /// The number of results so far.
    version: u64,
    work: AuditWork,
}

/// All that changes, as a page gets it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct LiveSnapshot {
    pub(super) start: String,
    pub(super) progress: CrawlProgress,
    /// 0 without results. Another number than before means that all lists may be different.
    pub(super) version: u64,
    /// Whether results are compared with an earlier crawl.
    pub(super) compares: bool,
    pub(super) work: AuditWork,
    /// Provisional pairs that are new, the oldest first.
    pub(super) pairs: Vec<SeenPair>,
}

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").field("start", &self.start).finish_non_exhaustive()
    }
}

impl Live {
    /// A crawl that starts. `auditor` runs audits, with the settings that the reader wants.
    pub fn new(
        start: impl Into<String>,
        settings: AuditSettings,
        auditor: impl Fn(&dyn CrawledSite, &AuditSettings, &(dyn Fn() -> bool + Sync)) -> Result<Audit, String>
        + Send
        + Sync
        + 'static,
    ) -> Arc<Self> {
        Arc::new(Live {
            start: start.into(),
            auditor: Box::new(auditor),
            state: Mutex::new(LiveState { settings, ..LiveState::default() }),
            changes: watch::Sender::new(1),
            stopping: watch::Sender::new(false),
            runs: AtomicU64::new(0),
            turn: Mutex::new(()),
        })
    }

    fn state(&self) -> MutexGuard<'_, LiveState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state, and tells all pages. They get four changes a second at most.
    fn change<T>(&self, change: impl FnOnce(&mut LiveState, u64) -> T) -> T {
        let mut state = self.state();
        let number = *self.changes.borrow() + 1;
        let result = change(&mut state, number);
        self.changes.send_replace(number);
        result
    }

    /// Shows how far the crawl is. Call it as often as you like.
    pub fn set_progress(&self, progress: CrawlProgress) {
        self.change(|state, _| state.progress = progress);
    }

    /// Shows that the crawl is over.
    pub fn end_crawl(&self) {
        self.change(|state, _| state.progress.is_running = false);
    }

    /// Shows pairs that were seen during the crawl.
    pub fn add_pairs(&self, pairs: impl IntoIterator<Item = SeenPair>) {
        self.change(|state, number| {
            state.provisional.extend(pairs.into_iter().map(|pair| (number, pair)));
            let extra = state.provisional.len().saturating_sub(MOST_PROVISIONAL);
            state.provisional.drain(..extra);
        });
    }

    /// Compares the results with an earlier crawl. Call it before the first audit.
    pub fn compare_with(&self, earlier: Arc<dyn CrawledSite>) {
        self.state().earlier = Some(earlier);
    }

    /// The settings that the reader wants now.
    pub fn settings(&self) -> AuditSettings {
        self.state().settings.clone()
    }

    /// The results that are shown.
    pub fn results(&self) -> Option<Arc<AuditResults>> {
        self.state().results.clone()
    }

    /// All that changed since the change with this number.
    pub(super) fn since(&self, last: u64) -> (u64, LiveSnapshot) {
        let state = self.state();
        let new = state.provisional.iter().filter(|(number, _)| *number > last);
        let snapshot = LiveSnapshot {
            start: self.start.clone(),
            progress: state.progress,
            version: state.version,
            compares: state.earlier.is_some(),
            work: state.work.clone(),
            pairs: new.map(|(_, pair)| pair.clone()).collect(),
        };
        (*self.changes.borrow(), snapshot)
    }

    /// Waits for a change behind the one with this number. `false` if the server stops.
    pub(super) async fn changed(&self, last: u64) -> bool {
        let (mut changes, mut stopping) = (self.changes.subscribe(), self.stopping.subscribe());
        // Both senders are here, so neither wait fails.
        tokio::select! {
            _ = changes.wait_for(|&number| number > last) => true,
            _ = stopping.wait_for(|&stops| stops) => false,
        }
    }

    /// Ends all streams of events.
    pub(super) fn stop(&self) {
        self.stopping.send_replace(true);
        self.runs.fetch_add(1, Ordering::SeqCst);
    }
}
