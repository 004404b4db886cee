//! The online service: "have I seen this document before?", over HTTP.
//!
//! A [`Service`] answers from one index, in a folder or in Redis, which [`lookalike_seen`] reads and changes. All that it
//! decides is decided there. Here are requests and answers, keys, limits and metrics. `openapi.json` describes the interface.
//!
//! Not for: the command line, signals, and files of keys. Those are for `cli`.
#![forbid(unsafe_code)]

mod app;
mod backend;
mod canonical;
mod clock;
mod connections;
mod events;
mod jobs;
mod keys;
mod metrics;
mod object;
mod problem;
mod replica;
mod reports;
mod room;
mod routes;
mod score;
mod settings;

pub use keys::{ApiKey, ApiKeys, KeyError, Role};
pub use lookalike_seen::Canonical;
pub use lookalike_seen::redis::{RedisAddress, RedisError};
pub use replica::{FollowError, Primary};
pub use routes::openapi;
pub use settings::{DuplicateMode, ServiceSettings};

use app::App;
use backend::Backend;
use connections::ClientLimits;
use lookalike::Plan;
use lookalike_index::{Index, NewIndex};
use lookalike_seen::redis::RedisSeen;
use lookalike_seen::{Closer, Seen};
use metrics::ServiceMetrics;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// Why the service cannot start, or has ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The address is reachable from other machines, and there are no keys.
    #[error(
        "{address} can be reached from other machines, and anybody there could change the index; give keys, or listen on 127.0.0.1"
    )]
    NoKeys {
        /// The address.
        address: SocketAddr,
    },
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The reason.
        source: io::Error,
    },
    /// The service would follow itself.
    #[error("{address} is the address of this service itself, and a copy follows another one")]
    FollowsItself {
        /// The address.
        address: SocketAddr,
    },
    /// The index cannot be used.
    #[error(transparent)]
    Index(#[from] lookalike_index::Error),
    /// The index in Redis cannot be used.
    #[error(transparent)]
    Redis(#[from] RedisError),
    /// The network failed.
    #[error("the service has stopped: {0}")]
    Network(#[source] io::Error),
}

/// The time that requests have to end after the service was asked to stop. A stream of requests may go on for ever.
const LAST_ANSWERS: Duration = Duration::from_secs(5);

/// A service that listens.
#[derive(Debug)]
pub struct Service {
    listener: TcpListener,
    app: Arc<App>,
    /// Closes the index, if it is in a folder.
    closer: Option<Closer>,
}

impl Service {
    /// Listens on the address of `settings`, for an index in a folder. Answers come when it [runs](Service::run).
    ///
    /// # Errors
    /// [`Error`].
    pub async fn bind(index: Index, settings: ServiceSettings) -> Result<Self, Error> {
        let listener = listen(&settings).await?;
        let address = listener.local_addr().map_err(Error::Network)?;
        if settings.primary.as_ref().is_some_and(|primary| primary.is_at(address)) {
            return Err(Error::FollowsItself { address });
        }
        let metrics = Arc::new(ServiceMetrics::new());
        let index = if settings.primary.is_some() { index.following() } else { index };
        let (seen, closer) = Seen::open_measured(index, metrics.clone())?;
        let app = Arc::new(App::new(Backend::new(seen), settings, metrics));
        Ok(Service { listener, app, closer: Some(closer) })
    }

    /// Listens on the address of `settings`, for an index in Redis, which several services may share: see [`RedisSeen::connect`].
    ///
    /// # Errors
    /// [`Error`].
    pub async fn bind_redis(
        address: &RedisAddress,
        wanted: Option<&NewIndex>,
        settings: ServiceSettings,
    ) -> Result<Self, Error> {
        let listener = listen(&settings).await?;
        let redis = RedisSeen::connect(address, wanted).await?;
        let app = Arc::new(App::new(Backend::new(redis), settings, Arc::new(ServiceMetrics::new())));
        Ok(Service { listener, app, closer: None })
    }

    /// The plan of its index.
    pub fn plan(&self) -> &Plan {
        self.app.backend.plan()
    }

    /// What happens to duplicates, if a request does not say it.
    pub fn mode(&self) -> DuplicateMode {
        self.app.settings.mode
    }

    /// The address that it listens on.
    ///
    /// # Errors
    /// [`Error::Network`].
    pub fn address(&self) -> Result<SocketAddr, Error> {
        self.listener.local_addr().map_err(Error::Network)
    }

    /// Answers until `stop` is done, then for at most five seconds what was asked before, and closes the index.
    ///
    /// # Errors
    /// [`Error::Index`] if the index cannot be closed.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), Error> {
        let Service { listener, app, closer } = self;
        let reading = Arc::clone(&app);
        let reading = tokio::task::spawn_blocking(move || reading.read_ahead());
        let sweeping = app.backend.index.sweep().map(tokio::spawn);
        let working = [sweeping, replica::start(&app)];
        let (stopping, stopped) = tokio::sync::oneshot::channel::<()>();
        let stops = Arc::clone(&app);
        let stop = async move {
            stop.await;
            stops.stopping.send_replace(true);
            let _ = stopping.send(());
        };
        let ServiceSettings { most_connections: connections, head_timeout, .. } = app.settings;
        let limits = ClientLimits { connections, head_timeout };
        let serve = connections::serve(listener, routes::router(Arc::clone(&app)), limits, stop);
        let late = async {
            let _ = stopped.await;
            tokio::time::sleep(LAST_ANSWERS).await;
        };
        tokio::select! {
            () = serve => {}
            () = late => {}
        }
        app.jobs.stop();
        working.iter().flatten().for_each(JoinHandle::abort);
        let closed = tokio::task::spawn_blocking(move || closer.map_or(Ok(()), Closer::close)).await;
        reading.abort();
        match closed {
            Ok(closed) => Ok(closed?),
            Err(panic) => std::panic::resume_unwind(panic.into_panic()),
        }
    }
}

async fn listen(settings: &ServiceSettings) -> Result<TcpListener, Error> {
    let address = settings.address;
    if !address.ip().is_loopback() && settings.keys.is_empty() {
        return Err(Error::NoKeys { address });
    }
    TcpListener::bind(address).await.map_err(|source| Error::Listen { address, source })
}
