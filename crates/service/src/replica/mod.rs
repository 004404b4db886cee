//! Read-only copies of an index, each behind a service of its own.
//!
//! The service of the index sends its log: [`log`]. A service that follows it makes the same changes in its own folder: [`follower`]. It answers all
//! questions itself and refuses changes. It may be started again at any time, and goes on where it was.

mod client;
mod follower;
pub(crate) mod log;

pub use client::FollowError;
pub(crate) use follower::start;

use crate::problem::Problem;
use axum::http::StatusCode;
use client::Log;
use lookalike::Plan;
use lookalike_index::live::Mark;
use std::fmt;
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
        let wrong = || FollowError::Address { address: address.to_owned() };
        let authority = address.strip_prefix("http://").map(|rest| rest.trim_end_matches('/'));
        let authority = authority
            .filter(|rest| !rest.is_empty() && !rest.contains(['/', '@', '?', '#']))
            .ok_or_else(wrong)?;
        let (host, port) =
            authority.rsplit_once(':').filter(|(_, port)| !port.contains(']')).unwrap_or((authority, "80"));
        port.parse::<u16>().map_err(|_| wrong())?;
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
    /// The plan of its index.
    ///
    /// # Errors
    /// [`FollowError`] if the service does not answer, or is one that cannot be followed.
    pub async fn plan(&self) -> Result<Plan, FollowError> {
        let nothing = Mark { sequence: 0, documents: 0, last: None };
        Log::open(self, &nothing).await?.plan().await
    }
}

/// How far a copy is.
#[derive(Debug)]
pub(crate) struct Replica {
    pub(crate) primary: Primary,
    started: Instant,
    state: Mutex<State>,
}

#[derive(Clone, Debug, Default)]
struct State {
    /// The last moment at which the copy had all changes.
    complete: Option<Instant>,
    /// Why nothing comes from the primary, if nothing does.
    failure: Option<String>,
}

impl Replica {
    pub(crate) fn new(primary: Primary) -> Self {
        Replica { primary, started: Instant::now(), state: Mutex::default() }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn connected(&self) {
        self.state().failure = None;
    }

    /// Takes note that the copy has all changes that the primary had at this moment.
    fn completed(&self, at: Instant) {
        self.state().complete = Some(at);
    }

    fn failed(&self, failure: &FollowError) {
        self.state().failure = Some(failure.to_string());
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
