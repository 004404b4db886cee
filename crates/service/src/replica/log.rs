//! `GET /v1/log`

use crate::app::App;
use crate::problem::Problem;
use axum::body::{Body, Bytes};
use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use lookalike_index::Error as IndexError;
use lookalike_index::live::{ChangeReader, CopyItem, IndexMark, IndexReader};
use lookalike_seen::SeenError;
use serde::Deserialize;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};
use utoipa::IntoParams;

/// Bytes that are sent at a time, about.
const SENT_BYTES: usize = 1 << 20;

/// The time after which new changes are looked for.
const LOOK_AFTER: Duration = Duration::from_millis(10);

/// The time after which something is sent in any case.
const SIGN_OF_LIFE: Duration = Duration::from_secs(1);

/// How far a copy of the index is.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct CopyPosition {
    /// The number of its changes. The log begins behind them.
    from: u64,
    /// The number of documents that were ever added to it.
    #[serde(default)]
    documents: u64,
    /// A hash of its last change, in hex.
    last: Option<String>,
}

/// The changes of the index as they are in its log, for copies that follow it.
///
/// It begins with the changes behind `from`, and goes on as long as the client reads. Every second it says that it is complete, if it is.
#[utoipa::path(
    get, path = "/v1/log", tag = "service", params(CopyPosition), security(("key" = [])),
    responses(
        (status = 200, body = Vec<u8>, content_type = "application/octet-stream"),
        (status = 409, body = Problem, content_type = "application/problem+json", description = "The copy is one of another index"),
        (status = 410, body = Problem, content_type = "application/problem+json", description = "The log does not have these changes any more"),
        (status = "default", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn log(
    State(app): State<Arc<App>>,
    Query(from): Query<CopyPosition>,
) -> Result<Response, Problem> {
    let reader = app.backend.folder()?.reader().clone();
    let last = from.last.map(|last| u64::from_str_radix(&last, 16)).transpose();
    let last = last.map_err(|_| Problem::invalid("last must be a hash in hex"))?;
    let mark = IndexMark { sequence: from.from, documents: from.documents, last };
    let sending = app.run_blocking(move |_| Sending::open(reader, &mark)).await?;
    let parts = stream::unfold(Some(sending), move |sending| {
        let app = Arc::clone(&app);
        async move {
            let sending = sending?;
            let next = tokio::select! {
                next = sending.next() => next,
                () = app.stopped() => return None,
            };
            Some(match next {
                Ok((bytes, sending)) => (Ok(bytes), Some(sending)),
                // The copy asks again, and is told why.
                Err(error) => (Err(error), None),
            })
        }
    });
    Ok(([(header::CONTENT_TYPE, "application/octet-stream")], Body::from_stream(parts)).into_response())
}

/// The log on its way to a copy.
struct Sending {
    reader: IndexReader,
    changes: ChangeReader,
    /// The dictionaries that were sent.
    dictionaries: u8,
    /// What is to be sent next.
    bytes: Vec<u8>,
    /// The moment at which something was sent last.
    sent: Instant,
    /// Whether all changes were sent, and the copy knows it.
    is_complete: bool,
}

impl Sending {
    fn open(reader: IndexReader, mark: &IndexMark) -> Result<Self, Problem> {
        if !reader.has_passed(mark).map_err(SeenError::from)? {
            let detail = "this is not the index that the copy was made of, or it was restored from an older backup; make the copy again";
            return Err(Problem::new(StatusCode::CONFLICT, "other_history", detail));
        }
        let changes = reader.changes_from(mark.sequence).map_err(|error| match error {
            IndexError::OldChanges { .. } => Problem::new(StatusCode::GONE, "too_old", error.to_string()),
            error => SeenError::from(error).into(),
        })?;
        let mut bytes = Vec::new();
        CopyItem::Plan(Box::new(reader.made_with())).push(&mut bytes);
        Ok(Sending { reader, changes, dictionaries: 0, bytes, sent: Instant::now(), is_complete: false })
    }

    /// Waits until there is something to send.
    async fn next(mut self) -> io::Result<(Bytes, Self)> {
        loop {
            let read = tokio::task::spawn_blocking(move || self.read().map(|()| self));
            self = read.await?.map_err(io::Error::other)?;
            if !self.bytes.is_empty() {
                self.sent = Instant::now();
                let bytes = std::mem::take(&mut self.bytes);
                return Ok((bytes.into(), self));
            }
            tokio::time::sleep(LOOK_AFTER).await;
        }
    }

    /// Reads what is there to be sent.
    fn read(&mut self) -> Result<(), IndexError> {
        while self.bytes.len() < SENT_BYTES {
            let Some(changes) = self.changes.next_changes()? else {
                if !self.is_complete || self.sent.elapsed() >= SIGN_OF_LIFE {
                    CopyItem::End(self.changes.next_sequence()).push(&mut self.bytes);
                    self.is_complete = true;
                }
                break;
            };
            // A text is compressed with a dictionary that was there before it.
            for dictionary in self.reader.dictionaries_from(self.dictionaries + 1) {
                dictionary.push(&mut self.bytes);
                self.dictionaries += 1;
            }
            CopyItem::Changes(changes).push(&mut self.bytes);
            self.is_complete = false;
        }
        Ok(())
    }
}
