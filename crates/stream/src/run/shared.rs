//! What all stages share.

use super::StreamTotals;
use crate::documents::DocumentIndex;
use crate::error::Error;
use crate::health::Health;
use crate::marks::Marks;
use crate::metrics::{MessageDecision, MessageDecisionLabels, StreamMetrics};
use crate::progress::{Offsets, StreamProgress};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How often a wait looks whether the stream has ended.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How long the last note of the index may take.
const LAST_NOTE: Duration = Duration::from_secs(5);

/// What all stages share.
#[derive(Debug)]
pub(crate) struct StreamShared {
    pub(crate) documents: DocumentIndex,
    pub(crate) group: String,
    pub(crate) health: Arc<Health>,
    pub(crate) metrics: Arc<StreamMetrics>,
    progress: Mutex<StreamProgress>,
    marks: Mutex<Marks>,
    /// The removals that the index has done, or could not do.
    pub(super) removals: watch::Sender<u64>,
    /// Batches that have left the source and have not arrived.
    under_way: Mutex<usize>,
    has_arrived: Condvar,
    noted: Mutex<NotedOffsets>,
    topics: Mutex<HashSet<Arc<str>>>,
    /// Why the source ended before its end.
    failure: Mutex<Option<Error>>,
    is_stopping: AtomicBool,
    is_aborting: AtomicBool,
}

/// The offsets that the index knows to have arrived.
#[derive(Debug, Default)]
struct NotedOffsets {
    offsets: Offsets,
    /// Whether Kafka does not know them yet.
    is_new: bool,
}

impl StreamShared {
    pub(crate) fn new(
        documents: DocumentIndex,
        group: String,
        progress: StreamProgress,
        marks: Marks,
        health: Arc<Health>,
        metrics: Arc<StreamMetrics>,
    ) -> Self {
        StreamShared {
            documents,
            group,
            health,
            metrics,
            noted: Mutex::new(NotedOffsets { offsets: progress.offsets(), is_new: false }),
            progress: Mutex::new(progress),
            marks: Mutex::new(marks),
            removals: watch::Sender::new(0),
            under_way: Mutex::default(),
            has_arrived: Condvar::new(),
            topics: Mutex::default(),
            failure: Mutex::default(),
            is_stopping: AtomicBool::new(false),
            is_aborting: AtomicBool::new(false),
        }
    }

    pub(crate) fn progress(&self) -> MutexGuard<'_, StreamProgress> {
        lock(&self.progress)
    }

    pub(crate) fn marks(&self) -> MutexGuard<'_, Marks> {
        lock(&self.marks)
    }

    /// The one copy of the name of a topic.
    pub(crate) fn topic(&self, name: &str) -> Arc<str> {
        let mut topics = lock(&self.topics);
        if let Some(topic) = topics.get(name) {
            return Arc::clone(topic);
        }
        let topic: Arc<str> = name.into();
        topics.insert(Arc::clone(&topic));
        topic
    }

    /// A batch leaves the source.
    pub(crate) fn departs(&self) {
        *lock(&self.under_way) += 1;
    }

    /// A batch has arrived.
    pub(crate) fn arrives(&self) {
        let mut under_way = lock(&self.under_way);
        *under_way = under_way.saturating_sub(1);
        self.has_arrived.notify_all();
    }

    /// Waits until all batches have arrived, for at most this time.
    pub(crate) fn wait_for_arrivals(&self, most: Option<Duration>) {
        let since = Instant::now();
        let mut under_way = lock(&self.under_way);
        while *under_way > 0 && !self.is_aborting() && most.is_none_or(|most| since.elapsed() < most) {
            let waited = self.has_arrived.wait_timeout(under_way, LOOK_EVERY);
            under_way = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits until the index knows of all that has arrived.
    pub(crate) fn wait_for_note(&self) {
        let since = Instant::now();
        while self.is_to_note() && !self.is_aborting() && since.elapsed() < LAST_NOTE {
            std::thread::sleep(LOOK_EVERY);
        }
    }

    /// Whether something has arrived that the index does not know of.
    pub(crate) fn is_to_note(&self) -> bool {
        // One lock after the other: they are held together nowhere.
        let arrived = self.progress().offsets();
        lock(&self.noted).offsets != arrived
    }

    /// Takes note of the offsets that are in the index now.
    pub(crate) fn note(&self, offsets: Offsets) {
        *lock(&self.noted) = NotedOffsets { offsets, is_new: true };
    }

    /// The offsets to commit to Kafka, if there are new ones.
    pub(crate) fn take_offsets_to_commit(&self) -> Option<Offsets> {
        let mut noted = lock(&self.noted);
        std::mem::take(&mut noted.is_new).then(|| noted.offsets.clone())
    }

    /// Takes note that Kafka could not be told.
    pub(crate) fn commit_again(&self) {
        lock(&self.noted).is_new = true;
    }

    /// Takes note that the source failed for good. What it has read goes on.
    pub(crate) fn fail(&self, error: Error) {
        *lock(&self.failure) = Some(error);
    }

    /// Why the source ended before its end.
    pub(crate) fn take_failure(&self) -> Option<Error> {
        lock(&self.failure).take()
    }

    pub(crate) fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
    }

    /// Whether no more is to be read.
    pub(crate) fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::Relaxed) || self.is_aborting()
    }

    pub(crate) fn abort(&self) {
        self.is_aborting.store(true, Ordering::Relaxed);
        self.has_arrived.notify_all();
    }

    /// Whether nothing will arrive any more.
    pub(crate) fn is_aborting(&self) -> bool {
        self.is_aborting.load(Ordering::Relaxed)
    }

    pub(crate) async fn metrics_text(&self) -> String {
        let documents = self.documents.count().await;
        let arrived = self.progress().offsets();
        self.metrics.text(&arrived, documents)
    }

    pub(crate) fn totals(&self) -> StreamTotals {
        let count =
            |decision| self.metrics.decisions.get_or_create(&MessageDecisionLabels { decision }).get();
        StreamTotals {
            new: count(MessageDecision::New),
            duplicates: count(MessageDecision::Duplicate),
            unchanged: count(MessageDecision::Unchanged),
            removed: count(MessageDecision::Removed),
            dead: count(MessageDecision::Dead),
            expired: count(MessageDecision::Expired),
            is_cut_short: *lock(&self.under_way) > 0,
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
