//! `POST /v1/bulk`: a stream of requests, one a line, and a stream of answers in the same order.
//!
//! Lines are prepared on all threads, and decided in their order. A bounded number is under way, so a client that does not read its answers
//! is not read from either.

use super::check::{CheckRequest, check_text};
use super::documents::{AddAnswer, AddRequest, answer, new_document};
use crate::app::{App, received};
use crate::problem::Problem;
use axum::body::{Body, BodyDataStream, Bytes};
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use bytes::BytesMut;
use futures_util::StreamExt;
use lookalike_engine::seen::{OnDuplicate, Prepared};
use memchr::memchr;
use serde::{Deserialize, Serialize};
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};
use utoipa::{IntoParams, ToSchema};

/// Lines that are under way at the same time.
const UNDER_WAY: usize = 1024;

/// Lines that one task prepares: a few hundred microseconds of work.
const LINES_PER_TASK: usize = 16;

/// What to do with each line.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Operation {
    /// As `POST /v1/check`.
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

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RemoveRequest {
    id: String,
}

/// The last line of an answer.
#[derive(Debug, Default, Serialize)]
struct Totals {
    lines: u64,
    errors: u64,
}

/// A line on its way to its answer.
enum Line {
    /// It is answered.
    Answered(Result<Bytes, Problem>),
    /// Its text is to be decided.
    Prepared(Prepared),
    /// Its document is to be removed.
    Remove(String),
}

/// The answer of a line, which may come later.
type Answer = Pin<Box<dyn Future<Output = Result<Bytes, Problem>> + Send>>;

fn json(answer: &impl Serialize) -> Bytes {
    serde_json::to_vec(answer).unwrap_or_default().into()
}

fn prepare(app: &App, op: Operation, line: &[u8]) -> Result<Line, Problem> {
    fn parse<'l, T: Deserialize<'l>>(line: &'l [u8]) -> Result<T, Problem> {
        serde_json::from_slice(line).map_err(|error| Problem::invalid(error.to_string()))
    }
    Ok(match op {
        Operation::Check => Line::Answered(Ok(json(&check_text(app, parse::<CheckRequest>(line)?)?))),
        Operation::Remove => Line::Remove(parse::<RemoveRequest>(line)?.id),
        Operation::Add | Operation::Put => {
            let request: AddRequest = parse(line)?;
            if matches!(op, Operation::Put) && request.on_duplicate.is_some() {
                return Err(Problem::invalid(
                    "op=put compares nothing; leave on_duplicate out, or use op=add",
                ));
            }
            let mut text = new_document(app, request)?;
            if matches!(op, Operation::Put) {
                text.on_duplicate = OnDuplicate::Ignore;
            }
            Line::Prepared(app.prepare(text)?)
        }
    })
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
    body: Body,
) -> Response {
    let (to_decide, prepared) = mpsc::channel(UNDER_WAY / LINES_PER_TASK);
    let (to_answer, decided) = mpsc::channel(UNDER_WAY);
    let (to_client, answers) = mpsc::channel::<Result<Bytes, std::io::Error>>(UNDER_WAY);
    tokio::spawn(read_lines(Arc::clone(&app), op, body.into_data_stream(), to_decide));
    tokio::spawn(decide(app, prepared, to_answer));
    tokio::spawn(write_answers(decided, to_client));
    let answers = futures_util::stream::unfold(answers, |mut answers| async {
        answers.recv().await.map(|answer| (answer, answers))
    });
    ([(header::CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(answers)).into_response()
}

type PreparedLines = oneshot::Receiver<Vec<Result<Line, Problem>>>;

/// Cuts the body into lines, and has them prepared, some at a time.
async fn read_lines(
    app: Arc<App>,
    op: Operation,
    mut body: BodyDataStream,
    to_decide: mpsc::Sender<PreparedLines>,
) {
    let (mut rest, mut lines) = (BytesMut::new(), Vec::new());
    let most = app.settings.most_bytes;
    loop {
        let data = match body.next().await {
            Some(Ok(data)) => data,
            None => break,
            // A client that has gone needs no answer. What it sent in full counts, and the last line may not be whole.
            Some(Err(_)) => {
                rest.clear();
                break;
            }
        };
        // What was there before has no line end.
        let mut from = rest.len();
        rest.extend_from_slice(&data);
        while let Some(end) = memchr(b'\n', &rest[from..]) {
            lines.push(rest.split_to(from + end + 1).freeze());
            from = 0;
            if lines.len() == LINES_PER_TASK && !send(&app, op, &mut lines, &to_decide).await {
                return;
            }
        }
        if rest.len() > most {
            let detail = format!("a line has more than {most} bytes; it and all that follows were not read");
            let problem = Problem::new(axum::http::StatusCode::PAYLOAD_TOO_LARGE, "too_large", detail);
            if send(&app, op, &mut lines, &to_decide).await {
                let (sender, receiver) = oneshot::channel();
                let _ = sender.send(vec![Err(problem)]);
                let _ = to_decide.send(receiver).await;
            }
            return;
        }
    }
    lines.push(rest.freeze());
    send(&app, op, &mut lines, &to_decide).await;
}

/// Has lines prepared. Returns whether there is somebody who decides them.
async fn send(
    app: &Arc<App>,
    op: Operation,
    lines: &mut Vec<Bytes>,
    to_decide: &mpsc::Sender<PreparedLines>,
) -> bool {
    let (app, mut lines) = (Arc::clone(app), std::mem::take(lines));
    lines.retain(|line| !line.trim_ascii().is_empty());
    let (sender, receiver) = oneshot::channel();
    tokio::spawn(async move {
        let prepared = lines.iter().map(|line| prepare(&app, op, line)).collect();
        let _ = sender.send(prepared);
    });
    to_decide.send(receiver).await.is_ok()
}

/// Gives prepared lines to the sequencer, in their order.
async fn decide(app: Arc<App>, mut prepared: mpsc::Receiver<PreparedLines>, to_answer: mpsc::Sender<Answer>) {
    while let Some(lines) = prepared.recv().await {
        for line in lines.await.unwrap_or_default() {
            let answer = match line {
                Ok(line) => decide_line(&app, line).await,
                Err(problem) => Box::pin(std::future::ready(Err(problem))),
            };
            if to_answer.send(answer).await.is_err() {
                return;
            }
        }
    }
}

async fn decide_line(app: &Arc<App>, line: Line) -> Answer {
    match line {
        Line::Answered(answer) => Box::pin(std::future::ready(answer)),
        Line::Prepared(prepared) => match app.add(prepared, true).await {
            Ok(receiver) => {
                let app = Arc::clone(app);
                Box::pin(async move {
                    let (_, answer): (_, AddAnswer) = answer(&app, received(receiver).await?)?;
                    Ok(json(&answer))
                })
            }
            Err(problem) => Box::pin(std::future::ready(Err(problem))),
        },
        Line::Remove(id) => {
            let (sender, receiver) = oneshot::channel();
            app.seen.remove_then(&id, move |answer| drop(sender.send(answer)));
            Box::pin(async move {
                let removed = received(receiver).await?;
                Ok(json(&serde_json::json!({ "removed": removed.answer, "sequence": removed.sequence })))
            })
        }
    }
}

/// Writes the answers in their order, and the totals.
async fn write_answers(
    mut decided: mpsc::Receiver<Answer>,
    to_client: mpsc::Sender<Result<Bytes, std::io::Error>>,
) {
    let mut totals = Totals::default();
    while let Some(answer) = decided.recv().await {
        let answer = answer.await;
        totals.lines += 1;
        totals.errors += u64::from(answer.is_err());
        let mut line = answer.unwrap_or_else(|problem| json(&problem)).to_vec();
        line.push(b'\n');
        if to_client.send(Ok(line.into())).await.is_err() {
            // The client has gone. What it sent is decided all the same.
            while let Some(answer) = decided.recv().await {
                let _ = answer.await;
            }
            return;
        }
    }
    let mut line = json(&totals).to_vec();
    line.push(b'\n');
    let _ = to_client.send(Ok(line.into())).await;
}
