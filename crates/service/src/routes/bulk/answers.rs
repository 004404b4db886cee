//! Gives prepared groups to the sequencer, and writes their answers.

use super::groups::PreparedGroup;
use super::prepare::{BulkLine, LineChanges, LineGroup, json};
use crate::app::{App, submit};
use crate::problem::Problem;
use crate::room::TakenRoom;
use crate::routes::documents::answer;
use axum::body::Bytes;
use lookalike_seen::{Added, Answers, Decided, SeenError};
use serde::Serialize;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// A group whose changes are under way.
pub(super) struct DecidedGroup {
    lines: Vec<BulkLine>,
    answers: PendingAnswers,
    room: TakenRoom,
}

enum PendingAnswers {
    Nothing,
    Added(oneshot::Receiver<Answers<Added>>),
    Removed(oneshot::Receiver<Answers<Option<u64>>>),
}

/// The last line of an answer.
#[derive(Debug, Default, Serialize)]
struct LineTotals {
    lines: u64,
    errors: u64,
}

#[derive(Debug, Serialize)]
struct RemoveAnswer {
    removed: bool,
    sequence: u64,
}

/// Gives prepared groups to the sequencer, in their order.
pub(super) async fn decide(
    app: Arc<App>,
    mut prepared: mpsc::Receiver<PreparedGroup>,
    to_answer: mpsc::Sender<DecidedGroup>,
) {
    while let Some(group) = prepared.recv().await {
        // A task that has panicked has no answers. The client sees a stream without totals.
        let Ok(Some((LineGroup { lines, ids, changes }, room))) = group.await else { return };
        let reports = Arc::clone(&app.reports);
        let index = &app.backend.index;
        let answers = match changes {
            LineChanges::Add(prepared) => {
                let report = move |ids: &[String], answers: &Answers<Added>| reports.added(ids, answers);
                let add = |prepared, then| index.submit(prepared, then);
                PendingAnswers::Added(submit(ids, prepared, report, add).await)
            }
            LineChanges::Remove => {
                let report =
                    move |ids: &[String], answers: &Answers<Option<u64>>| reports.removed(ids, answers);
                let remove = |removed, then| index.remove(removed, then);
                PendingAnswers::Removed(submit(ids.clone(), ids, report, remove).await)
            }
            LineChanges::Nothing => PendingAnswers::Nothing,
        };
        if to_answer.send(DecidedGroup { lines, answers, room }).await.is_err() {
            return;
        }
    }
}

/// Writes the answers of all groups in their order, and the totals.
pub(super) async fn write(
    mut decided: mpsc::Receiver<DecidedGroup>,
    to_client: mpsc::Sender<Result<Bytes, std::io::Error>>,
) {
    let mut totals = LineTotals::default();
    while let Some(DecidedGroup { lines, answers, room }) = decided.recv().await {
        let mut text = Vec::new();
        let removed = |Decided { answer, sequence }: Decided<Option<u64>>| {
            Ok(json(&RemoveAnswer { removed: answer.is_some(), sequence }))
        };
        match answers {
            PendingAnswers::Nothing => totals.push(lines, Answers::new(), &mut text, removed),
            PendingAnswers::Added(answers) => {
                let added = |decided| Ok(json(&answer(decided)?.1));
                totals.push(lines, answers.await.unwrap_or_default(), &mut text, added);
            }
            PendingAnswers::Removed(answers) => {
                totals.push(lines, answers.await.unwrap_or_default(), &mut text, removed);
            }
        }
        // The texts are gone, and the answers are short.
        drop(room);
        if !text.is_empty() && to_client.send(Ok(text.into())).await.is_err() {
            // The client has gone. What it sent is decided all the same.
            while decided.recv().await.is_some() {}
            return;
        }
    }
    let _ = to_client.send(Ok([json(&totals), vec![b'\n']].concat().into())).await;
}

impl LineTotals {
    /// Counts lines, and appends their answers to `text`. `answers` has those of lines that were changes.
    fn push<T>(
        &mut self,
        lines: Vec<BulkLine>,
        answers: Answers<T>,
        text: &mut Vec<u8>,
        answer: impl Fn(Decided<T>) -> Result<Vec<u8>, Problem>,
    ) {
        let mut answers = answers.into_iter();
        for line in lines {
            let line = match line {
                BulkLine::Answered(line) => Ok(line),
                BulkLine::Refused(problem) => Err(problem),
                BulkLine::Change => match answers.next().unwrap_or(Err(SeenError::Closed)) {
                    Ok(decided) => answer(decided),
                    Err(error) => Err(error.into()),
                },
            };
            self.lines += 1;
            self.errors += u64::from(line.is_err());
            text.extend(line.unwrap_or_else(|problem| json(&problem)));
            text.push(b'\n');
        }
    }
}
