//! The work on a group of lines that does not depend on other groups.

use super::Operation;
use crate::app::App;
use crate::clock::now;
use crate::object;
use crate::problem::Problem;
use crate::routes::check::{CheckAnswer, CheckRequest, check_text};
use crate::routes::documents::{AddRequest, new_document};
use lookalike_seen::{NewText, OnDuplicate, PreparedTexts};
use serde::{Deserialize, Serialize};

/// Lines that are decided and answered together.
pub(super) struct LineGroup {
    pub(super) lines: Vec<BulkLine>,
    /// The ids of the documents that its lines ask to change.
    pub(super) ids: Vec<String>,
    pub(super) changes: LineChanges,
}

/// A line on its way to its answer.
pub(super) enum BulkLine {
    /// It is answered, in JSON.
    Answered(Vec<u8>),
    /// It could not be understood.
    Refused(Problem),
    /// Its answer is the next one of the changes of the group.
    Change,
}

/// The changes that the lines of a group ask for.
pub(super) enum LineChanges {
    Nothing,
    Add(PreparedTexts),
    Remove,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RemoveRequest {
    id: String,
}

/// A line of `op=check`: a check, and an id that its answer repeats.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckLine {
    id: Option<String>,
    text: Option<String>,
    html: Option<String>,
    threshold: Option<f64>,
}

#[derive(Debug, Serialize)]
struct CheckLineAnswer {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(flatten)]
    answer: CheckAnswer,
}

fn check_line(app: &App, line: &[u8]) -> Result<Vec<u8>, Problem> {
    let CheckLine { id, text, html, threshold } = parse(line)?;
    let answer = check_text(app, CheckRequest { text, html, threshold })?;
    Ok(json(&CheckLineAnswer { id, answer }))
}

impl LineGroup {
    /// A group of one line that could not be read.
    pub(super) fn refused(problem: Problem) -> Self {
        LineGroup { lines: vec![BulkLine::Refused(problem)], ids: Vec::new(), changes: LineChanges::Nothing }
    }

    /// Gives the lines that ask for changes this answer.
    fn refuse_changes(mut self, problem: &Problem) -> Self {
        let changes = self.lines.iter_mut().filter(|line| matches!(line, BulkLine::Change));
        changes.for_each(|line| *line = BulkLine::Refused(problem.clone()));
        self
    }
}

/// `answer` in JSON.
pub(super) fn json(answer: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(answer).unwrap_or_default()
}

/// Parses lines, and does for them what many threads can do at the same time.
pub(super) fn prepare(app: &App, op: Operation, bytes: &[u8]) -> LineGroup {
    let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    match op {
        Operation::Check => {
            let check = |line| check_line(app, line).map_or_else(BulkLine::Refused, BulkLine::Answered);
            let lines = lines.map(check).collect();
            LineGroup { lines, ids: Vec::new(), changes: LineChanges::Nothing }
        }
        Operation::Remove => {
            let (lines, ids) = parsed(lines, |line| Ok(parse::<RemoveRequest>(line)?.id));
            let changes = if ids.is_empty() { LineChanges::Nothing } else { LineChanges::Remove };
            LineGroup { lines, ids, changes }
        }
        Operation::Add | Operation::Put => {
            let (lines, texts) = parsed(lines, |line| new_text(app, op, line));
            let ids = texts.iter().map(|text| text.id.clone()).collect();
            match app.backend.index.prepare(texts, now()) {
                Ok(prepared) => LineGroup { lines, ids, changes: LineChanges::Add(prepared) },
                Err(error) => {
                    LineGroup { lines, ids, changes: LineChanges::Nothing }.refuse_changes(&error.into())
                }
            }
        }
    }
}

/// Parses each of `lines`. Returns what they ask for in their order.
fn parsed<'l, T>(
    lines: impl Iterator<Item = &'l [u8]>,
    parse: impl Fn(&'l [u8]) -> Result<T, Problem>,
) -> (Vec<BulkLine>, Vec<T>) {
    let mut changes = Vec::new();
    let line = |line| match parse(line) {
        Ok(change) => {
            changes.push(change);
            BulkLine::Change
        }
        Err(problem) => BulkLine::Refused(problem),
    };
    (lines.map(line).collect(), changes)
}

fn parse<'l, T: Deserialize<'l>>(line: &'l [u8]) -> Result<T, Problem> {
    object::check(line)?;
    // It is not line 1 of what the client has sent.
    let detail = |error: serde_json::Error| error.to_string().replace(" at line 1 column ", " at column ");
    serde_json::from_slice(line).map_err(|error| Problem::invalid(detail(error)))
}

fn new_text(app: &App, op: Operation, line: &[u8]) -> Result<NewText, Problem> {
    let request: AddRequest = parse(line)?;
    if op == Operation::Put && request.on_duplicate.is_some() {
        let detail = "op=put compares nothing; leave on_duplicate out, or use op=add";
        return Err(Problem::invalid(detail));
    }
    let text = new_document(app, request)?;
    Ok(if op == Operation::Put { NewText { on_duplicate: OnDuplicate::Ignore, ..text } } else { text })
}
