//! What all requests share.

use crate::backend::Backend;
use crate::canonical;
use crate::clock::now;
use crate::events::Events;
use crate::jobs::Jobs;
use crate::keys::Access;
use crate::metrics::ServiceMetrics;
use crate::problem::Problem;
use crate::replica::Replica;
use crate::reports::Reports;
use crate::room::Turns;
use crate::settings::ServiceSettings;
use lookalike_seen::{Added, Answers, Decided, NewText, SeenError, Touched, decided};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;
use tokio::sync::{oneshot, watch};

/// Bytes of a text that is short. To sketch and compare it takes less than a millisecond, and to hand it to another thread takes a tenth of that.
const SHORT_BYTES: usize = 64 << 10;

/// The time after which changes that found no room are tried again.
const TRY_AGAIN_AFTER: Duration = Duration::from_millis(2);

#[derive(Debug)]
pub(crate) struct App {
    pub(crate) backend: Backend,
    pub(crate) settings: ServiceSettings,
    pub(crate) access: Access,
    pub(crate) metrics: Arc<ServiceMetrics>,
    /// The turns of bulk requests.
    pub(crate) turns: Turns,
    pub(crate) events: Arc<Events>,
    pub(crate) jobs: Arc<Jobs>,
    /// Whether the service is to stop. Answers that have no end of their own end then.
    pub(crate) stopping: watch::Sender<bool>,
    /// How far this copy is, if it is one.
    pub(crate) replica: Option<Arc<Replica>>,
    /// The second since 1970 at which the service started.
    pub(crate) started: u32,
    pub(crate) reports: Arc<Reports>,
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
    pub(crate) fn new(backend: Backend, settings: ServiceSettings, metrics: Arc<ServiceMetrics>) -> Self {
        Self::with_clock(backend, settings, metrics, now)
    }

    /// Like [`App::new`]. By this clock canonical documents expire for those who follow events.
    pub(crate) fn with_clock(
        backend: Backend,
        settings: ServiceSettings,
        metrics: Arc<ServiceMetrics>,
        clock: fn() -> u32,
    ) -> Self {
        let events = Arc::new(Events::new());
        // Nobody gets events from a copy.
        let folder = backend.index.folder().filter(|_| settings.primary.is_none());
        let clusters = folder
            .map(|seen| canonical::follow(seen.clone(), settings.canonical, Arc::clone(&events), clock));
        let reports = Arc::new(Reports::new(Arc::clone(&metrics), Arc::clone(&events), clusters, clock));
        let readiness = AtomicU8::new(Readiness::Reading as u8);
        App {
            backend,
            replica: settings.primary.clone().map(|primary| Arc::new(Replica::new(primary, settings.tell))),
            access: Access::new(&settings.keys, settings.rate),
            settings,
            metrics,
            turns: Turns::new(),
            events,
            jobs: Arc::default(),
            stopping: watch::Sender::new(false),
            started: now(),
            reports,
            readiness,
        }
    }

    /// Reads the index once, so that no look-up waits for the disk.
    pub(crate) fn read_ahead(&self) {
        let readiness = match self.backend.index.folder() {
            Some(seen) if seen.snapshot().read_runs().is_err() => Readiness::Damaged,
            _ => Readiness::Ready,
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

    /// Waits until the service is to stop.
    pub(crate) async fn stopped(&self) {
        // The sender is here.
        let _ = self.stopping.subscribe().wait_for(|&stops| stops).await;
    }

    /// The second since 1970 at which a document expires that is added now and lives for `ttl` seconds.
    pub(crate) fn expires(&self, ttl: Option<u32>) -> Option<u32> {
        let default = || self.settings.ttl.map(|ttl| u32::try_from(ttl.as_secs()).unwrap_or(u32::MAX));
        ttl.or_else(default).map(|ttl| now().saturating_add(ttl))
    }

    /// Runs the work on a text of so many bytes: here, or like [`App::run_blocking`] if it is long, or if it waits for another process.
    pub(crate) async fn run_for<T: Send + 'static>(
        self: &Arc<Self>,
        bytes: usize,
        work: impl FnOnce(&App) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        match bytes <= SHORT_BYTES && !self.backend.waits() {
            true => work(self),
            false => self.run_blocking(work).await,
        }
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

    /// Adds a text. Answers when the answer is on the disk, or in Redis.
    pub(crate) async fn add(self: &Arc<Self>, text: NewText) -> Result<Decided<Added>, Problem> {
        let (ids, reports) = ([text.id.clone()], Arc::clone(&self.reports));
        let report = move |answers: &Answers<Added>| reports.added(&ids, answers);
        let (bytes, index) = (text.text.len(), &self.backend.index);
        let prepare = move |app: &App| Ok(app.backend.index.prepare(vec![text], now())?);
        let prepared = self.run_for(bytes, prepare).await?;
        Ok(decided(report, |then| index.submit(prepared, true, then)).await?)
    }

    /// Lets the document that has this id expire at second `expires` since 1970, unless it expires later anyway. Answers when the answer is on
    /// the disk, or in Redis.
    pub(crate) async fn touch(&self, id: &str, expires: u32) -> Result<Decided<Option<Touched>>, Problem> {
        Ok(self.backend.index.touch(id, expires, now()).await?)
    }

    /// Removes the document that has this id. If it `purges`, its text is gone from the disk soon. Answers when the answer is on the disk, or
    /// in Redis, which forgets the text at once.
    pub(crate) async fn remove(&self, id: String, purges: bool) -> Result<Decided<Option<u64>>, Problem> {
        let (ids, reports) = ([id.clone()], Arc::clone(&self.reports));
        let report = move |answers: &Answers<Option<u64>>| reports.removed(&ids, answers);
        Ok(decided(report, |then| self.backend.index.remove(vec![id], purges, then)).await?)
    }
}

/// Takes the answer to a change.
type ThenOne<A> = Box<dyn FnOnce(A) + Send>;

/// Submits changes. As long as too many others wait, these wait too. `report` gets the answer too, also if nobody waits for it any
/// more. Changes are reported in the order of the log. A duplicate that is not stored changes nothing, and may be reported
/// on the thread of the request before its original is.
pub(crate) async fn submit<C, A: Send + 'static, F>(
    mut changes: C,
    report: impl FnOnce(&A) + Send + 'static,
    submit: impl Fn(C, ThenOne<A>) -> F,
) -> oneshot::Receiver<A>
where
    F: Future<Output = Result<(), (C, ThenOne<A>)>>,
{
    let (sender, receiver) = oneshot::channel();
    let mut then: ThenOne<A> = Box::new(move |answer| {
        report(&answer);
        drop(sender.send(answer));
    });
    while let Err(back) = submit(changes, then).await {
        (changes, then) = back;
        tokio::time::sleep(TRY_AGAIN_AFTER).await;
    }
    receiver
}
