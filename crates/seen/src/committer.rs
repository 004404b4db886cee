//! Writes what the sequencer has decided to the disk, and answers.

use super::clusters::Compactor;
use super::error::SeenError;
use super::shared::SharedSeen;
use lookalike_index::live::Commit;
use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::Instant;

/// Gives the answer to a change that is decided, or the error if what it rests on could not be written.
pub(super) type GiveAnswer = Box<dyn FnOnce(Result<(), SeenError>) + Send>;

/// What was decided together.
pub(super) struct DecidedChanges {
    pub(super) commit: Commit,
    pub(super) links: Vec<[u64; 2]>,
    pub(super) answers: Vec<GiveAnswer>,
}

/// How a commit ended.
#[derive(Debug)]
pub(super) struct Committed {
    /// The number of documents in the index.
    pub(super) documents: u64,
    /// The sequence number of the record that follows.
    pub(super) next_sequence: u64,
    /// Whether it is on the disk. If not, nothing of it is.
    pub(super) written: Result<(), SeenError>,
}

/// Answers all of these. What they rest on is `written`.
pub(super) fn answer(answers: Vec<GiveAnswer>, written: &Result<(), SeenError>) {
    answers.into_iter().for_each(|answer| answer(written.clone()));
}

/// Finishes commits in their order, until there are no more. `report` is called after each.
pub(super) fn run<M>(
    shared: &Arc<SharedSeen>,
    batches: &Receiver<DecidedChanges>,
    reports: &SyncSender<M>,
    message: impl Fn(Committed) -> M,
) {
    let mut compactor = Compactor::new(Arc::clone(shared));
    for DecidedChanges { commit, links, answers } in batches {
        let (documents, next_sequence) = (commit.documents(), commit.next_sequence());
        let (changes, start) = (commit.changes(), Instant::now());
        let written = commit.finish().map_err(|error| not_written(&error));
        if written.is_ok() {
            shared.meter.synced(changes, start.elapsed());
            shared.clusters.unite(&links);
            compactor.look(next_sequence);
        }
        answer(answers, &written);
        // The sequencer waits for this before it ends.
        let _ = reports.send(message(Committed { documents, next_sequence, written }));
    }
}

/// The answer to a change that the index could not write.
pub(super) fn not_written(error: &lookalike_index::Error) -> SeenError {
    let is_full = match error {
        lookalike_index::Error::Store(lookalike_store::Error::Write { source, .. }) => {
            matches!(
                source.kind(),
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge
            )
        }
        _ => false,
    };
    SeenError::NotWritten { reason: error.to_string(), is_full }
}
