//! What all requests share.

use crate::canonical::{self, Change};
use crate::events::{Event, Events};
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::room::Turns;
use crate::settings::Settings;
use lookalike_engine::seen::{Added, Answers, Decided, NewText, Seen, SeenError};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::Sender;
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::oneshot::{self, error::RecvError};

#[derive(Debug)]
pub(crate) struct App {
    pub(crate) seen: Seen,
    pub(crate) settings: Settings,
    pub(crate) metrics: Metrics,
    /// The turns of bulk requests.
    pub(crate) turns: Turns,
    pub(crate) events: Arc<Events>,
    /// The second since 1970 at which the service started.
    pub(crate) started: u32,
    /// Where changes of clusters are reported.
    clusters: Sender<Change>,
    readiness: AtomicU8,
}

/// Whether the index is in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Readiness {
    Reading = 0,
    Ready = 1,
    Damaged = 2,
}

impl App {
    pub(crate) fn new(seen: Seen, settings: Settings) -> Self {
        let events = Arc::new(Events::new());
        let clusters = canonical::follow(seen.clone(), settings.canonical, Arc::clone(&events));
        let readiness = AtomicU8::new(Readiness::Reading as u8);
        App {
            seen,
            settings,
            metrics: Metrics::new(),
            turns: Turns::new(),
            events,
            started: now(),
            clusters,
            readiness,
        }
    }

    /// Reads the index once, so that no look-up waits for the disk.
    pub(crate) fn read_ahead(&self) {
        let readiness = match self.seen.snapshot().read_runs() {
            Ok(()) => Readiness::Ready,
            Err(_) => Readiness::Damaged,
        };
        self.readiness.store(readiness as u8, Ordering::Relaxed);
    }

    pub(crate) fn readiness(&self) -> Readiness {
        match self.readiness.load(Ordering::Relaxed) {
            0 => Readiness::Reading,
            1 => Readiness::Ready,
            _ => Readiness::Damaged,
        }
    }

    /// The second since 1970 at which a document expires that is added now and lives for `ttl` seconds.
    pub(crate) fn expires(&self, ttl: Option<u32>) -> Option<u32> {
        let default = || self.settings.ttl.map(|ttl| u32::try_from(ttl.as_secs()).unwrap_or(u32::MAX));
        ttl.or_else(default).map(|ttl| now().saturating_add(ttl))
    }

    /// Runs work that takes longer than a request may occupy a thread of the network.
    pub(crate) async fn run_blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&App) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let app = Arc::clone(self);
        match tokio::task::spawn_blocking(move || work(&app)).await {
            Ok(done) => done,
            Err(stopped) => match stopped.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => Err(SeenError::Closed.into()),
            },
        }
    }

    /// Counts and reports the answer to a document that was to be added.
    pub(crate) fn report_added(&self, id: &str, Decided { answer, sequence }: &Decided<Added>) {
        self.metrics.added(answer);
        let (id, sequence) = (id.to_owned(), *sequence);
        match answer {
            Added::New { .. } => self.events.push(Event::Added { id, sequence }),
            Added::Duplicate { found, stored } => {
                let (of, similarity) = (found.id.clone(), found.similarity.value());
                self.events.push(Event::Duplicate { id, of, similarity, stored: stored.is_some(), sequence });
                if let Some(linked) = stored {
                    // The thread lives as long as the service.
                    let _ = self.clusters.send(Change::Linked(linked.clone()));
                }
            }
            Added::Unchanged { .. } | Added::OtherText { .. } => {}
        }
    }

    /// Reports the answer to a removal.
    pub(crate) fn report_removed(&self, id: &str, Decided { answer, sequence }: &Decided<Option<u64>>) {
        if let Some(number) = *answer {
            self.events.push(Event::Removed { id: id.to_owned(), sequence: *sequence });
            let _ = self.clusters.send(Change::Removed(number));
        }
    }

    /// Adds a text. Answers when the answer is on the disk.
    pub(crate) async fn add(&self, text: NewText) -> Result<Decided<Added>, Problem> {
        let id = text.id.clone();
        let prepared = self.seen.prepare(vec![text], now())?;
        let (sender, receiver) = oneshot::channel();
        let then = move |answers| drop(sender.send(answers));
        self.seen.submit(prepared, then).map_err(|_| SeenError::Busy)?;
        let decided = only(receiver.await)?;
        self.report_added(&id, &decided);
        Ok(decided)
    }

    /// Removes the document that has this id. Answers when the answer is on the disk.
    pub(crate) async fn remove(&self, id: String) -> Result<Decided<Option<u64>>, Problem> {
        let (sender, receiver) = oneshot::channel();
        let then = move |answers| drop(sender.send(answers));
        self.seen.remove_then(vec![id.clone()], then).map_err(|_| SeenError::Busy)?;
        let decided = only(receiver.await)?;
        self.report_removed(&id, &decided);
        Ok(decided)
    }
}

/// The only one of the answers that the engine has sent.
fn only<T>(answers: Result<Answers<T>, RecvError>) -> Result<Decided<T>, Problem> {
    let answer = answers.ok().and_then(|mut answers| answers.pop());
    Ok(answer.unwrap_or(Err(SeenError::Closed))?)
}

/// The second since 1970.
pub(crate) fn now() -> u32 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u32::try_from(since.as_secs()).unwrap_or(u32::MAX)
}
