//! Why a stream cannot start, or has ended.

use std::io;
use std::path::PathBuf;

/// Why a stream cannot start, or has ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be opened.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// Kafka cannot be used as it is asked to.
    #[error("{brokers}: {reason}")]
    Kafka {
        /// The brokers.
        brokers: String,
        /// The reason.
        reason: String,
    },
    /// The key for the search engine cannot be sent.
    #[error("the key for the search engine has characters that a header cannot have")]
    Key,
    /// The destination is a data stream, where documents would have to be changed.
    #[error("{name} is a data stream, which takes new documents only; {remedy}")]
    DataStream {
        /// The data stream.
        name: String,
        /// What works.
        remedy: &'static str,
    },
    /// The index has progress that cannot be used.
    #[error("{0}")]
    Progress(String),
    /// The index cannot be used.
    #[error(transparent)]
    Index(#[from] lookalike_index::Error),
    /// Redis would remove parts of the index.
    #[error(
        "Redis removes parts of the index when its memory is full; set maxmemory-policy noeviction in place of {policy}"
    )]
    Evicts {
        /// Its `maxmemory-policy`.
        policy: String,
    },
    /// The index in Redis cannot be used.
    #[error(transparent)]
    Redis(#[from] lookalike_seen::redis::RedisError),
    /// The index failed for good.
    #[error(transparent)]
    Seen(#[from] lookalike_seen::SeenError),
    /// Nobody could be asked over the network.
    #[error("cannot connect to servers: {0}")]
    Client(String),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: std::net::SocketAddr,
        /// The reason.
        source: io::Error,
    },
    /// A thread cannot be started.
    #[error("cannot start a thread: {0}")]
    Threads(io::Error),
}
