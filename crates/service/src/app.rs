//! What all requests share.

use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::settings::Settings;
use axum::http::StatusCode;
use lookalike_engine::seen::{Added, Decided, NewText, Prepared, Seen, SeenError};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::oneshot;

/// The time after which a change that found no room is tried again.
const TRY_AGAIN_AFTER: Duration = Duration::from_millis(2);

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

    /// Sketches a text, and compares it with the documents on the disk.
    pub(crate) fn prepare(&self, text: NewText) -> Result<Prepared, Problem> {
        Ok(self.seen.prepare(text, now())?)
    }

    /// Adds a text. Answers when the answer is on the disk. If too many changes wait, it waits too, or gives up.
    pub(crate) async fn add(
        self: &Arc<Self>,
        mut prepared: Prepared,
        waits: bool,
    ) -> Result<oneshot::Receiver<Result<Decided<Added>, SeenError>>, Problem> {
        let (sender, receiver) = oneshot::channel();
        let mut then = move |answer| drop(sender.send(answer));
        loop {
            match self.seen.submit(prepared, then) {
                Ok(()) => return Ok(receiver),
                Err(_) if !waits => return Err(SeenError::Busy.into()),
                Err(back) => (prepared, then) = back,
            }
            tokio::time::sleep(TRY_AGAIN_AFTER).await;
        }
    }
}

/// The answer that the engine sends.
pub(crate) async fn received<T>(
    receiver: oneshot::Receiver<Result<Decided<T>, SeenError>>,
) -> Result<Decided<T>, Problem> {
    let closing = || Problem::new(StatusCode::SERVICE_UNAVAILABLE, "closing", "the service is closing");
    Ok(receiver.await.map_err(|_| closing())??)
}

/// The second since 1970.
pub(crate) fn now() -> u32 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u32::try_from(since.as_secs()).unwrap_or(u32::MAX)
}
