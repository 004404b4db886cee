//! What all requests share.

use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::settings::Settings;
use lookalike_engine::seen::{Added, Answers, Decided, NewText, Seen, SeenError};
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::oneshot::{self, error::RecvError};

#[derive(Debug)]
pub(crate) struct App {
    pub(crate) seen: Seen,
    pub(crate) settings: Settings,
    pub(crate) metrics: Metrics,
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
        App { seen, settings, metrics: Metrics::new(), readiness: AtomicU8::new(Readiness::Reading as u8) }
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

    /// Adds a text. Answers when the answer is on the disk.
    pub(crate) async fn add(&self, text: NewText) -> Result<Decided<Added>, Problem> {
        let prepared = self.seen.prepare(vec![text], now())?;
        let (sender, receiver) = oneshot::channel();
        let then = move |answers| drop(sender.send(answers));
        self.seen.submit(prepared, then).map_err(|_| SeenError::Busy)?;
        only(receiver.await)
    }

    /// Removes the document that has this id. Answers when the answer is on the disk.
    pub(crate) async fn remove(&self, id: String) -> Result<Decided<bool>, Problem> {
        let (sender, receiver) = oneshot::channel();
        let then = move |answers| drop(sender.send(answers));
        self.seen.remove_then(vec![id], then).map_err(|_| SeenError::Busy)?;
        only(receiver.await)
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
