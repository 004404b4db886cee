//! The way of a message: read, prepared, decided, written.
//!
//! ```text
//! source ──→ prepare ──→ decide ──→ arrive ──→ destination
//! (thread)   (threads)   (seen)        │
//!                ↑                     └──→ dead letters
//!            progress ←── how far all has arrived: in the next note of the index, then to Kafka
//! ```

mod arrive;
mod decide;
mod prepare;
mod shared;
mod without_notes;

pub(crate) use shared::StreamShared;

use crate::batch::MessageBatch;
use crate::dead_letters::DeadLetters;
use crate::documents::DocumentIndex;
use crate::error::Error;
use crate::fields::Parser;
use crate::health::Health;
use crate::marks::Marks;
use crate::metrics::StreamMetrics;
use crate::progress::StreamProgress;
use crate::settings::{Duplicates, StreamSettings};
use crate::sink::Sink;
use crate::{source, status};
use arrive::Arrivals;
use decide::Decider;
use futures_util::{StreamExt, stream};
use lookalike_index::{Index, NewIndex};
use lookalike_seen::redis::{RedisAddress, RedisSeen};
use lookalike_seen::{Canonical, Closer, Seen};
use std::future::Future;
use std::sync::{Arc, Mutex, Once};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::mpsc;

/// Batches between two stages, at most.
const WAITING_BATCHES: usize = 2;

/// The time that messages have to arrive after the stream was asked to stop. What does not arrive comes again.
const LAST_ARRIVALS: Duration = Duration::from_secs(if cfg!(test) { 1 } else { 10 });

/// A stream that is ready to run.
pub struct Stream {
    settings: StreamSettings,
    pub(crate) shared: Arc<StreamShared>,
    /// Closes the index, if it is in a folder.
    closer: Option<Closer>,
    sink: Sink,
    dead_letters: DeadLetters,
    listener: Option<TcpListener>,
}

/// What a stream has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StreamTotals {
    /// Messages whose document is new.
    pub new: u64,
    /// Messages whose document is similar to another.
    pub duplicates: u64,
    /// Messages that came again.
    pub unchanged: u64,
    /// Messages that remove a document.
    pub removed: u64,
    /// Messages that cannot be used.
    pub dead: u64,
    /// Messages whose document had expired before it came.
    pub expired: u64,
    /// Whether some of them have not arrived. They come again.
    pub is_cut_short: bool,
}

impl Stream {
    /// Opens everything that the stream needs, with an index in a folder. It must run in a runtime of several threads.
    ///
    /// # Errors
    /// [`Error`].
    pub async fn open(index: Index, settings: StreamSettings) -> Result<Self, Error> {
        let progress = StreamProgress::read(index.payload(), &settings.group);
        let progress = progress.map_err(|error| Error::Progress(error.to_string()))?;
        let metrics = Arc::new(StreamMetrics::new());
        let opened = Seen::open_measured(index, metrics.clone())?;
        let (documents, closer) = (DocumentIndex::new(opened.0), Some(opened.1));
        Self::start(documents, progress, metrics, settings).await.map(|stream| Stream { closer, ..stream })
    }

    /// The same, with an index in Redis, which several streams may use at the same time. If there is none, it is made. It must be like the `wanted` one;
    /// without one, it is taken as it is.
    ///
    /// # Errors
    /// [`Error`].
    pub async fn open_redis(
        address: &RedisAddress,
        wanted: Option<&NewIndex>,
        settings: StreamSettings,
    ) -> Result<Self, Error> {
        let seen = RedisSeen::connect(address, wanted).await?;
        let durability = seen.index().durability().await?;
        if durability.may_evict() {
            return Err(Error::Evicts { policy: durability.maxmemory_policy.unwrap_or_default() });
        }
        if !durability.is_synced() {
            let message = "Redis does not write each decision to the disk before it answers; a crash of it loses some (appendfsync always)";
            (settings.tell)(message);
        }
        Self::start(
            DocumentIndex::new(seen),
            StreamProgress::default(),
            Arc::new(StreamMetrics::new()),
            settings,
        )
        .await
    }

    async fn start(
        documents: DocumentIndex,
        progress: StreamProgress,
        metrics: Arc<StreamMetrics>,
        settings: StreamSettings,
    ) -> Result<Self, Error> {
        let listener = match settings.listen {
            Some(address) => Some(status::listen(address).await?),
            None => None,
        };
        let health = Arc::new(Health::new(settings.tell));
        let sink = Sink::open(&settings, &health, &progress)?;
        let dead_letters = DeadLetters::open(&settings, &health, &progress)?;
        let marks = Marks::new(settings.duplicates != Duplicates::Drop);
        let shared = StreamShared::new(documents, settings.group.clone(), progress, marks, health, metrics);
        Ok(Stream { settings, shared: Arc::new(shared), closer: None, sink, dead_letters, listener })
    }

    /// Runs until `stop` is done, or until the end of what it reads, and closes the index.
    ///
    /// # Errors
    /// [`Error`] if the index failed for good.
    pub async fn run(self, stop: impl Future<Output = ()>) -> Result<StreamTotals, Error> {
        let (batches, read) = mpsc::channel(WAITING_BATCHES);
        let source = source::start(&self.settings, &self.shared, batches)?;
        self.run_on(read, move || drop(source.join()), stop).await
    }

    /// Runs on batches that come from anywhere. `end` waits for their end.
    pub(crate) async fn run_on(
        self,
        read: mpsc::Receiver<MessageBatch>,
        end: impl FnOnce() + Send + 'static,
        stop: impl Future<Output = ()>,
    ) -> Result<StreamTotals, Error> {
        let Stream { settings, shared, closer, sink, dead_letters, listener } = self;
        let watching = listener.map(|listener| tokio::spawn(status::answer(listener, Arc::clone(&shared))));
        let sweeping = shared.documents.sweep().map(tokio::spawn);
        let expiry = settings.ttl.and_then(|_| sink.expiry()).map(tokio::spawn);
        let late = async {
            stop.await;
            shared.stop();
            tokio::time::sleep(LAST_ARRIVALS).await;
        };
        let ended = tokio::select! {
            ended = work(&settings, &shared, read, sink, dead_letters) => ended,
            () = late => Ok(()),
        };
        shared.abort();
        let (totals, failure) = (shared.totals(), shared.take_failure());
        let ending = tokio::task::spawn_blocking(move || {
            end();
            drop(shared);
            closer.map_or(Ok(()), Closer::close)
        });
        let closed = match ending.await {
            Ok(closed) => closed,
            Err(panic) => std::panic::resume_unwind(panic.into_panic()),
        };
        watching.iter().chain(&sweeping).chain(&expiry).for_each(tokio::task::JoinHandle::abort);
        ended?;
        closed?;
        failure.map_or(Ok(()), Err)?;
        Ok(totals)
    }
}

/// Has batches prepared, decided and written, until there are no more.
async fn work(
    settings: &StreamSettings,
    shared: &Arc<StreamShared>,
    read: mpsc::Receiver<MessageBatch>,
    mut sink: Sink,
    dead_letters: DeadLetters,
) -> Result<(), Error> {
    let data_stream = sink.look(settings).await?;
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let preparer = Arc::new(prepare::Preparer {
        shared: Arc::clone(shared),
        parser: Parser::new(settings.format, settings.fields.clone(), settings.taken_fields()),
        ttl: settings.ttl,
        unreadable_time: Once::new(),
        tell: settings.tell,
        policy: match settings.duplicates {
            Duplicates::Canonical(policy) => policy,
            Duplicates::Apart(_) | Duplicates::Drop => Canonical::First,
        },
        data_stream,
        forgetting: Mutex::default(),
    });
    let decider = Decider::new(Arc::clone(shared), Arc::clone(&preparer));
    let (to_arrive, decided) = mpsc::unbounded_channel();
    let batches = stream::unfold(read, |mut read| async { read.recv().await.map(|batch| (batch, read)) });
    let prepared = batches.map(|batch| {
        let preparer = Arc::clone(&preparer);
        tokio::task::spawn_blocking(move || preparer.prepare(Arc::new(batch)))
    });
    let mut prepared = std::pin::pin!(prepared.buffered(threads));
    let deciding = async {
        while let Some(planned) = prepared.next().await {
            let planned = planned.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()))?;
            if to_arrive.send(decider.submit(planned).await?).is_err() {
                break;
            }
        }
        drop(to_arrive);
        Ok::<_, Error>(())
    };
    let arriving = Arrivals { shared: Arc::clone(shared), decider: decider.clone(), sink, dead_letters };
    tokio::try_join!(deciding, arriving.run(decided)).map(drop)
}
