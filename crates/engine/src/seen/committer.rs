//! Writes what the sequencer has decided to the disk, and answers.

use super::changes::{Changed, Decided, SeenError, Then};
use lookalike_index::live::Commit;
use std::io;
use std::sync::mpsc::{Receiver, SyncSender};

/// A change that is decided, and the function that takes its answer.
pub(super) struct Answer {
    pub(super) changed: Result<Decided<Changed>, SeenError>,
    pub(super) then: Then,
}

/// What was decided together.
pub(super) struct Batch {
    pub(super) commit: Commit,
    pub(super) answers: Vec<Answer>,
}

/// How a commit ended.
#[derive(Debug)]
pub(super) struct Committed {
    /// The number of documents in the index.
    pub(super) documents: u64,
    /// The sequence number of the record that follows.
    pub(super) next_sequence: u64,
    /// Why nothing of it is on the disk.
    pub(super) failure: Option<SeenError>,
}

/// Answers all of these.
pub(super) fn answer(answers: Vec<Answer>) {
    answers.into_iter().for_each(|Answer { changed, then }| then(changed));
}

/// Answers all of these with `error`.
pub(super) fn refuse(answers: Vec<Answer>, error: &SeenError) {
    answers.into_iter().for_each(|Answer { then, .. }| then(Err(error.clone())));
}

/// Finishes commits in their order, until there are no more. `report` is called after each.
pub(super) fn run<M>(batches: &Receiver<Batch>, reports: &SyncSender<M>, message: impl Fn(Committed) -> M) {
    for Batch { commit, answers } in batches {
        let (documents, next_sequence) = (commit.documents(), commit.next_sequence());
        let failure = commit.finish().err().map(|error| not_written(&error));
        match &failure {
            None => answer(answers),
            Some(error) => refuse(answers, error),
        }
        // The sequencer waits for this before it ends.
        let _ = reports.send(message(Committed { documents, next_sequence, failure }));
    }
}

pub(super) fn not_written(error: &lookalike_index::Error) -> SeenError {
    let kind = match error {
        lookalike_index::Error::Store(lookalike_store::Error::Write { source, .. }) => Some(source.kind()),
        _ => None,
    };
    let is_full = matches!(
        kind,
        Some(io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge)
    );
    SeenError::NotWritten { reason: error.to_string(), is_full }
}
