//! The connection of a copy to the service of the index that it follows.

use super::Primary;
use crate::settings::DuplicateMode;
use axum::body::Bytes;
use axum::http::{Request, StatusCode, header};
use http_body_util::{BodyExt, Empty, Limited};
use hyper::body::Incoming;
use hyper::client::conn::http1::handshake;
use hyper_util::rt::TokioIo;
use lookalike_index::live::{CopyItem, IndexMark, Items};
use lookalike_index::{Error as IndexError, NewIndex};
use lookalike_seen::Canonical;
use serde::Deserialize;
use std::fmt::Display;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// The time in which something must come: an item is sent every second.
const PATIENCE: Duration = Duration::from_secs(10);

/// Bytes of an answer that is not a log, at most.
const ANSWER_BYTES: usize = 1 << 16;

/// Why an index cannot be followed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FollowError {
    /// The address is not one of a service.
    #[error("{address}: {problem}; give the address of a service, such as http://10.0.0.5:8765")]
    Address {
        /// The address.
        address: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The service does not answer.
    #[error("{primary}: {reason}")]
    Unreachable {
        /// The address of the service.
        primary: String,
        /// The reason.
        reason: String,
    },
    /// The service refuses.
    #[error("{primary} answers {status}: {detail}")]
    Refused {
        /// The address of the service.
        primary: String,
        /// The status of its answer.
        status: u16,
        /// Its reason.
        detail: String,
    },
    /// What the service sends cannot be used.
    #[error("{primary}: {source}")]
    Index {
        /// The address of the service.
        primary: String,
        /// The reason.
        source: IndexError,
    },
    /// A change could not be made in the copy.
    #[error(transparent)]
    Seen(#[from] lookalike_seen::SeenError),
}

impl FollowError {
    /// Whether somebody must do something before the copy goes on. It does by itself if the primary was only gone.
    pub(super) fn is_final(&self) -> bool {
        matches!(self, FollowError::Refused { .. } | FollowError::Index { .. })
    }

    pub(super) fn not_understood(primary: &Primary) -> Self {
        let reason = "it sends something else than a service of lookalike does".to_owned();
        FollowError::Unreachable { primary: primary.to_string(), reason }
    }
}

/// The log of an index, as it comes from a service.
#[derive(Debug)]
pub(super) struct PrimaryLog {
    primary: Primary,
    body: Incoming,
    items: Items,
}

impl PrimaryLog {
    /// Asks for the log from where a copy with this mark is.
    pub(super) async fn open(primary: &Primary, mark: &IndexMark) -> Result<Self, FollowError> {
        let opened = timeout(PATIENCE, Self::ask(primary, mark)).await;
        opened.map_err(unreachable(primary))?
    }

    async fn ask(primary: &Primary, mark: &IndexMark) -> Result<Self, FollowError> {
        let last = mark.last.map(|last| format!("&last={last:016x}")).unwrap_or_default();
        let path = format!("/v1/log?from={}&documents={}{last}", mark.sequence, mark.documents);
        let body = get(primary, &path).await?;
        Ok(PrimaryLog { primary: primary.clone(), body, items: Items::default() })
    }

    /// What the index was made with, which comes first.
    pub(super) async fn made_with(&mut self) -> Result<NewIndex, FollowError> {
        match self.next().await? {
            CopyItem::Plan(new) => Ok(*new),
            _ => Err(FollowError::not_understood(&self.primary)),
        }
    }

    /// The next item.
    pub(super) async fn next(&mut self) -> Result<CopyItem, FollowError> {
        loop {
            let primary = &self.primary;
            let useless = |source| FollowError::Index { primary: primary.to_string(), source };
            if let Some(item) = self.items.next_item().map_err(useless)? {
                return Ok(item);
            }
            let frame = timeout(PATIENCE, self.body.frame()).await.map_err(unreachable(primary))?;
            let ended = || unreachable(primary)("the connection has ended");
            let frame = frame.ok_or_else(ended)?.map_err(unreachable(primary))?;
            if let Some(bytes) = frame.data_ref() {
                self.items.push(bytes);
            }
        }
    }
}

/// A new connection, which sends what is written to it at once.
async fn connect(authority: &str) -> std::io::Result<TcpStream> {
    let stream = TcpStream::connect(authority).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// The body of the answer to a request for `path`.
async fn get(primary: &Primary, path: &str) -> Result<Incoming, FollowError> {
    let stream = connect(&primary.authority).await.map_err(unreachable(primary))?;
    let (mut sender, connection) = handshake(TokioIo::new(stream)).await.map_err(unreachable(primary))?;
    // It ends with the body.
    tokio::spawn(connection);
    let mut request = Request::get(path).header(header::HOST, &primary.authority);
    if let Some(key) = &primary.key {
        request = request.header(header::AUTHORIZATION, format!("Bearer {key}"));
    }
    let request = request.body(Empty::<Bytes>::new());
    let request = request.map_err(unreachable(primary))?;
    let response = sender.send_request(request).await.map_err(unreachable(primary))?;
    let status = response.status();
    if status == StatusCode::OK {
        return Ok(response.into_body());
    }
    let body = Limited::new(response.into_body(), ANSWER_BYTES).collect().await;
    let body = body.map(|body| body.to_bytes()).unwrap_or_default();
    Err(refused(primary, status, &body))
}

/// What `/v1/index` says of the options of a service.
#[derive(Deserialize)]
struct OptionsOfIndex {
    mode: String,
    canonical: String,
}

/// What the primary does with duplicates, and which document of a cluster stands for it there.
pub(super) async fn options(primary: &Primary) -> Result<(DuplicateMode, Canonical), FollowError> {
    let ask = async {
        let body = get(primary, "/v1/index").await?;
        let body = Limited::new(body, ANSWER_BYTES).collect().await;
        Ok::<_, FollowError>(body.map_err(unreachable(primary))?.to_bytes())
    };
    let body = timeout(PATIENCE, ask).await.map_err(unreachable(primary))??;
    let options = serde_json::from_slice(&body).ok().and_then(|OptionsOfIndex { mode, canonical }| {
        let mode = DuplicateMode::ALL.into_iter().find(|known| known.name() == mode)?;
        Some((mode, Canonical::ALL.into_iter().find(|known| known.name() == canonical)?))
    });
    options.ok_or_else(|| FollowError::not_understood(primary))
}

/// The error if there is no answer, for this reason.
fn unreachable<E: Display>(primary: &Primary) -> impl Fn(E) -> FollowError {
    move |reason| FollowError::Unreachable { primary: primary.to_string(), reason: reason.to_string() }
}

/// What a service says when it refuses.
#[derive(Deserialize)]
struct ServiceRefusal {
    detail: String,
}

fn refused(primary: &Primary, status: StatusCode, body: &[u8]) -> FollowError {
    let detail = serde_json::from_slice(body).map(|ServiceRefusal { detail }| detail);
    let mut detail = detail.unwrap_or_else(|_| "no reason; is it a service of lookalike?".to_owned());
    if [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN].contains(&status) {
        detail += "; --follow-key names the file that has the key";
    }
    FollowError::Refused { primary: primary.to_string(), status: status.as_u16(), detail }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::net::TcpListener;

    #[tokio::test]
    async fn a_connection_to_the_primary_sends_without_delay() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let authority = listener.local_addr().unwrap().to_string();
        assert!(connect(&authority).await.unwrap().nodelay().unwrap());
    }
}
