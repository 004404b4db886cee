//! Makes the changes of another index in a copy of it: nothing is decided again.

use super::Seen;
use super::changes::Change;
use super::error::SeenError;
use super::sequencer::Sequencer;
use lookalike_index::live::Changes;

impl Seen {
    /// Makes `changes` of the index that this one is a copy of, and calls `then` when they are on the disk, or cannot be. The index must have been
    /// opened as one that [follows](lookalike_index::Index::following) another.
    ///
    /// # Errors
    /// Gives everything back if too many changes wait.
    pub fn apply<F>(&self, changes: Changes, then: F) -> Result<(), (Changes, F)>
    where
        F: FnOnce(Result<(), SeenError>) + Send + 'static,
    {
        match self.is_busy() {
            true => Err((changes, then)),
            false => {
                self.send(Change::Apply { changes, then: Box::new(then) });
                Ok(())
            }
        }
    }
}

impl Sequencer {
    pub(super) fn apply(&mut self, changes: &Changes) -> Result<(), SeenError> {
        for (sequence, link) in self.writer.apply(changes)? {
            self.links.push(sequence, link);
        }
        Ok(())
    }
}
