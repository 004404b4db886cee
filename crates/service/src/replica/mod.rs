//! Read-only copies of an index, each behind a service of its own.
//!
//! The service of the index sends its log: [`log`]. A service that follows it makes the same changes in its own folder: [`follower`]. It answers all
//! questions itself and refuses changes. It may be started again at any time, and goes on where it was.
//!
//! **Copies.** A service that follows another one gets its log: `GET /v1/log` sends records as soon as they are on the
//! disk (`ChangeReader`). The sequencer of the copy puts them into its own frames and decides nothing
//! (`IndexWriter::apply`). Both indexes number the same changes equally, so a copy asks for all behind its own last
//! number. It also sends a hash of its last document, by which another history is refused. A batch writes its links to
//! the log for this reason. A log whose dead documents were dropped has gaps: the answer is then 410, and the copy
//! begins with a backup.

mod client;
mod follower;
pub(crate) mod log;

pub use client::FollowError;
pub(crate) use follower::start;

use crate::problem::Problem;
use crate::settings::DuplicateMode;
use axum::http::StatusCode;
use client::PrimaryLog;
use lookalike_index::NewIndex;
use lookalike_index::live::IndexMark;
use lookalike_seen::Canonical;
use std::fmt;
use std::net::SocketAddr;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The service that a copy follows.
#[derive(Clone, PartialEq, Eq)]
pub struct Primary {
    /// Its host and port.
    authority: String,
    /// The key that it asks for.
    pub key: Option<String>,
}

impl FromStr for Primary {
    type Err = FollowError;

    /// Reads an address such as `http://10.0.0.5:8765`.
    fn from_str(address: &str) -> Result<Self, FollowError> {
        let wrong = |problem| FollowError::Address { address: address.to_owned(), problem };
        let authority = match address.split_once("://") {
            Some(("http", rest)) => rest.strip_suffix('/').unwrap_or(rest),
            Some(("https", _)) => {
                return Err(wrong("a copy asks without TLS, in a private network or a tunnel"));
            }
            _ => return Err(wrong("it does not start with http://")),
        };
        if authority.is_empty() || authority.contains(['/', '@', '?', '#']) {
            return Err(wrong("it is not a host and a port alone"));
        }
        let (host, port) =
            authority.rsplit_once(':').filter(|(_, port)| !port.contains(']')).unwrap_or((authority, "80"));
        port.parse::<u16>().map_err(|_| wrong("its port is not a number"))?;
        Ok(Primary { authority: format!("{host}:{port}"), key: None })
    }
}

/// Without the key.
impl fmt::Debug for Primary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Primary").field("authority", &self.authority).finish_non_exhaustive()
    }
}

impl fmt::Display for Primary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}", self.authority)
    }
}

impl Primary {
    pub(crate) fn is_at(&self, address: SocketAddr) -> bool {
        self.authority == address.to_string()
    }

    /// What its index was made with.
    ///
    /// # Errors
    /// [`FollowError`] if the service does not answer, or is one that cannot be followed.
    pub async fn made_with(&self) -> Result<NewIndex, FollowError> {
        let nothing = IndexMark { sequence: 0, documents: 0, last: None };
        PrimaryLog::open(self, &nothing).await?.made_with().await
    }

    /// What it does with duplicates, and which document of a cluster stands for it there.
    ///
    /// # Errors
    /// As [`Primary::made_with`].
    pub async fn options(&self) -> Result<(DuplicateMode, Canonical), FollowError> {
        client::options(self).await
    }
}

/// How far a copy is.
#[derive(Debug)]
pub(crate) struct Replica {
    pub(crate) primary: Primary,
    /// Tells the one who runs the service.
    tell: fn(&str),
    started: Instant,
    state: Mutex<ReplicaState>,
}

#[derive(Clone, Debug, Default)]
struct ReplicaState {
    /// The last moment at which the copy had all changes.
    complete: Option<Instant>,
    /// Why nothing comes from the primary, if nothing does.
    failure: Option<String>,
    /// Whether that will stay so until somebody does something.
    is_final: bool,
}

impl Replica {
    pub(crate) fn new(primary: Primary, tell: fn(&str)) -> Self {
        Replica { primary, tell, started: Instant::now(), state: Mutex::default() }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, ReplicaState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn connected(&self) {
        let mut state = self.state();
        if state.failure.take().is_some() {
            (self.tell)(&format!("the copy follows {} again", self.primary));
        }
        state.is_final = false;
    }

    /// Takes note that the copy has all changes that the primary had at this moment.
    fn completed(&self, at: Instant) {
        self.state().complete = Some(at);
    }

    fn failed(&self, failure: &FollowError) {
        let (text, mut state) = (failure.to_string(), self.state());
        if state.failure.as_ref() != Some(&text) {
            (self.tell)(&format!("the copy gets no changes: {text}"));
        }
        (state.failure, state.is_final) = (Some(text), failure.is_final());
    }

    /// Why the service is not ready: the copy has not had all changes yet, or can get no more.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        let state = self.state();
        if state.complete.is_some() && !state.is_final {
            return Ok(());
        }
        let waiting = || format!("the copy does not have all changes of {} yet", self.primary);
        let detail = state.failure.clone().unwrap_or_else(waiting);
        Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "behind", detail))
    }

    /// The time since the copy last had all changes. `None` if it has not had them since its service started.
    pub(crate) fn lag(&self) -> Option<Duration> {
        self.state().complete.map(|complete| complete.elapsed())
    }

    /// The answer to a request for what only the primary has.
    pub(crate) fn refusal(&self, what: &str) -> Problem {
        let detail = format!("this is a read-only copy; {what} are for {}", self.primary);
        Problem::new(StatusCode::CONFLICT, "read_only", detail)
    }

    /// The same, or the time since the service started.
    pub(crate) fn least_lag(&self) -> Duration {
        self.lag().unwrap_or_else(|| self.started.elapsed())
    }

    /// Why nothing comes from the primary, if nothing does.
    pub(crate) fn failure(&self) -> Option<String> {
        self.state().failure.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_scheme_and_a_host() {
        let shown = |address: &str| address.parse::<Primary>().map(|primary| primary.to_string()).ok();
        for (address, expected) in [
            ("http://10.0.0.5:8765", Some("http://10.0.0.5:8765")),
            ("http://index.example/", Some("http://index.example:80")),
            ("http://[::1]:8765", Some("http://[::1]:8765")),
            ("http://[::1]", Some("http://[::1]:80")),
            ("https://index.example", None),
            ("10.0.0.5:8765", None),
            ("http://", None),
            ("http://a/b", None),
            ("http://a:b", None),
            ("http://user@a", None),
        ] {
            assert_eq!(shown(address).as_deref(), expected, "{address}");
        }
    }
}
