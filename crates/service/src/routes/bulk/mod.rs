//! `POST /v1/bulk`: a stream of requests, one a line, and a stream of answers in the same order.
//!
//! ```text
//! body → groups of lines → prepared on all threads → submitted in order → answered in order
//! ```
//!
//! The lines of a group are parsed, sketched and compared by one thread, and decided and answered together. The sequencer decides each with all lines
//! before it, also with those of groups that were compared at the same time. A bounded number of groups is under
//! way, so a client that does not read its answers is not read from either.

mod answers;
mod groups;
mod prepare;

use crate::app::App;
use crate::keys::Rate;
use crate::problem::Problem;
use axum::Extension;
use axum::body::{Body, BodyDataStream, Bytes};
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use futures_util::stream::Peekable;
use groups::LineGrouper;
use serde::Deserialize;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use tokio::sync::mpsc;
use utoipa::{IntoParams, ToSchema};

/// Groups that are prepared, or wait for their turn, at the same time.
const PREPARED_GROUPS: usize = 8;

/// Groups that wait for their answers at the same time: as many as a few turns of the disk take.
const DECIDED_GROUPS: usize = 64;

/// What to do with each line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Operation {
    /// As `POST /v1/check`. A line may have an `id`, which its answer repeats.
    Check,
    /// As `POST /v1/documents`.
    Add,
    /// As `PUT /v1/documents/{id}`, with the id in the line.
    Put,
    /// As `DELETE /v1/documents/{id}`: a line is `{"id": "…"}`.
    Remove,
}

/// What to do with each line.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct Bulk {
    op: Operation,
}

/// The body of a request, for which the client has been asked.
///
/// A client may wait for `100 Continue` before it sends a long body, as curl does for a second. The connection sends that when the body is read, but
/// not once the answer has started, and a bulk request is answered from its start on. So the body is read once before, and the connection
/// gets a turn. Nothing is waited for: another client may send nothing before it has the start of the answer.
async fn asked_for(body: Body) -> Peekable<BodyDataStream> {
    let mut body = body.into_data_stream().peekable();
    poll_fn(|context| Poll::Ready(Pin::new(&mut body).poll_peek(context).is_ready())).await;
    tokio::task::yield_now().await;
    body
}

/// Many checks, additions or removals: one a line, in NDJSON, of any number.
///
/// Each line is answered by a line, in the same order, and decided in the same order. An error is the answer of its line. The last line has
/// the totals.
#[utoipa::path(
    post, path = "/v1/bulk", tag = "documents", params(Bulk), security(("key" = [])),
    request_body(content = String, content_type = "application/x-ndjson"),
    responses(
        (status = 200, body = String, content_type = "application/x-ndjson"),
        (status = "default", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn bulk(
    State(app): State<Arc<App>>,
    Query(Bulk { op }): Query<Bulk>,
    Extension(rate): Extension<Rate>,
    body: Body,
) -> Response {
    let body = asked_for(body).await;
    let (to_decide, prepared) = mpsc::channel(PREPARED_GROUPS);
    let (to_answer, decided) = mpsc::channel(DECIDED_GROUPS);
    let (to_client, answers) = mpsc::channel::<Result<Bytes, std::io::Error>>(1);
    let groups = LineGrouper { app: Arc::clone(&app), op, rate, to_decide };
    tokio::spawn(groups.read(body));
    tokio::spawn(answers::decide(Arc::clone(&app), prepared, to_answer));
    tokio::spawn(answers::write(decided, to_client));
    let answers = futures_util::stream::unfold(answers, |mut answers| async {
        answers.recv().await.map(|answer| (answer, answers))
    });
    ([(header::CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(answers)).into_response()
}
