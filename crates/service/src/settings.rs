//! How the service answers.

use crate::keys::ApiKeys;
use crate::replica::Primary;
use lookalike_seen::Canonical;
use lookalike_seen::OnDuplicate;
use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

/// What happens to duplicates, if a request does not say it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DuplicateMode {
    /// They are not stored.
    #[default]
    Unique,
    /// They are stored, and linked to the documents that they are similar to.
    All,
}

impl DuplicateMode {
    pub(crate) const ALL: [DuplicateMode; 2] = [DuplicateMode::Unique, DuplicateMode::All];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            DuplicateMode::Unique => "unique",
            DuplicateMode::All => "all",
        }
    }

    pub(crate) fn on_duplicate(self) -> OnDuplicate {
        match self {
            DuplicateMode::Unique => OnDuplicate::Refuse,
            DuplicateMode::All => OnDuplicate::Store,
        }
    }
}

/// Proxies keep idle connections for 60 seconds, and must be the first to close them: otherwise a request could meet a closed connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(75);

/// An idle connection takes less than 20 kB, so these are 300 MB.
const MOST_CONNECTIONS: usize = 16_384;

/// How the service answers. By default it listens on port 8765 of the loopback interface, without keys.
#[derive(Clone, Debug)]
pub struct ServiceSettings {
    /// The address to listen on. Port 0 is any free port.
    pub address: SocketAddr,
    /// Who may do what. Without keys everybody may do everything.
    pub keys: ApiKeys,
    /// The requests that each key may make in a second, if it does not say it. Without keys, those of all together. A line of a bulk request
    /// counts as a request, and waits for its turn; other requests are refused.
    pub rate: Option<NonZeroU32>,
    /// The service that is followed, if this is one of a read-only copy.
    pub primary: Option<Primary>,
    /// Tells the one who runs the service what nobody has asked for, a sentence at a time.
    pub tell: fn(&str),
    /// What happens to duplicates.
    pub mode: DuplicateMode,
    /// Which document of a cluster stands for it.
    pub canonical: Canonical,
    /// The time after which a document expires, if its request does not say it.
    pub ttl: Option<Duration>,
    /// The folder in which backups are made, if they may be made. It must exist.
    pub backups: Option<PathBuf>,
    /// The most bytes of the body of a request, and of a line of a bulk request.
    pub most_bytes: usize,
    /// The time after which a request is given up, except bulk requests.
    pub timeout: Duration,
    /// The time in which the head of a request must come. It starts when the connection does, or when its last answer has ended.
    pub head_timeout: Duration,
    /// The most connections at the same time. Each is an open file of the process.
    pub most_connections: usize,
}

impl Default for ServiceSettings {
    fn default() -> Self {
        ServiceSettings {
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, 8765)),
            keys: ApiKeys::default(),
            rate: None,
            primary: None,
            tell: |_| {},
            mode: DuplicateMode::default(),
            canonical: Canonical::default(),
            ttl: None,
            backups: None,
            most_bytes: 16 << 20,
            timeout: Duration::from_secs(30),
            head_timeout: HEAD_TIMEOUT,
            most_connections: MOST_CONNECTIONS,
        }
    }
}
