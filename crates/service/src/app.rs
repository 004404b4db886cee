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
use lookalike_seen::{Added, Answers, Decided, NewText, SeenError, Submitted, Then, Touched, decided};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;
use tokio::sync::{oneshot, watch};

/// Bytes of a text that is short. To sketch and compare it takes less than a millisecond, and to hand it to another thread takes a tenth of that.
const SHORT_BYTES: usize = 64 << 10;

/// The time after which changes that found no room are tried again.
pub(crate) const TRY_AGAIN_AFTER: Duration = Duration::from_millis(2);

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
        let (ids, bytes, index) = (vec![text.id.clone()], text.text.len(), &self.backend.index);
        let prepare = move |app: &App| Ok(app.backend.index.prepare(vec![text], now())?);
        // To prepare waits for nobody, wherever the index is.
        let prepared = match bytes <= SHORT_BYTES {
            true => prepare(self)?,
            false => self.run_blocking(prepare).await?,
        };
        let reports = Arc::clone(&self.reports);
        let report = move |ids: &[String], answers: &Answers<Added>| reports.added(ids, answers);
        Ok(decided(|then| index.submit_alone(prepared, reporting(ids, report, then))).await?)
    }

    /// Lets the document that has this id expire at second `expires` since 1970, unless it expires later anyway. Answers when the answer is on
    /// the disk, or in Redis.
    pub(crate) async fn touch(&self, id: &str, expires: u32) -> Result<Decided<Option<Touched>>, Problem> {
        Ok(self.backend.index.touch(id, expires, now()).await?)
    }

    /// Removes the document that has this id. If it `purges`, its text is gone from the disk soon. Answers when the answer is on the disk, or
    /// in Redis, which forgets the text at once.
    pub(crate) async fn remove(&self, id: String, purges: bool) -> Result<Decided<Option<u64>>, Problem> {
        let (reports, index) = (Arc::clone(&self.reports), &self.backend.index);
        let report = move |ids: &[String], answers: &Answers<Option<u64>>| reports.removed(ids, answers);
        let removed = |then| {
            let then = reporting(vec![id.clone()], report, then);
            match purges {
                true => index.purge(vec![id], then),
                false => index.remove(vec![id], then),
            }
        };
        Ok(decided(removed).await?)
    }
}

/// Takes the answers to changes of the documents with these ids, and `report`s them before `then` gets them.
///
/// Changes of an index in a folder are reported in the order of the log, also if nobody waits for their answers any more. A
/// duplicate that is not stored changes nothing, and may be reported on the thread of the request before its original is.
/// Answers from Redis are in no order with those of other requests.
fn reporting<T: 'static>(
    ids: Vec<String>,
    report: impl Fn(&[String], &Answers<T>) + Send + 'static,
    mut then: Then<T>,
) -> Then<T> {
    let mut reported = 0;
    Box::new(move |answers| {
        report(&ids[reported..], &answers);
        reported += answers.len();
        then(answers);
    })
}

/// Submits changes of the documents with these ids, and returns all answers when they are there. As long as too many others
/// wait, these wait too. Answers are reported: see [`reporting`].
pub(crate) async fn submit<'a, C, T: Send + 'static>(
    ids: Vec<String>,
    mut changes: C,
    report: impl Fn(&[String], &Answers<T>) + Send + 'static,
    submit: impl Fn(C, Then<T>) -> Submitted<'a, C, T>,
) -> oneshot::Receiver<Answers<T>> {
    let (sender, receiver) = oneshot::channel();
    let (mut sender, count, mut all) = (Some(sender), ids.len(), Answers::with_capacity(ids.len()));
    let collect = move |answers: Answers<T>| {
        all.extend(answers);
        if all.len() >= count
            && let Some(sender) = sender.take()
        {
            drop(sender.send(std::mem::take(&mut all)));
        }
    };
    let mut then = reporting(ids, report, Box::new(collect));
    while let Err(back) = submit(changes, then).await {
        (changes, then) = back;
        tokio::time::sleep(TRY_AGAIN_AFTER).await;
    }
    receiver
}
