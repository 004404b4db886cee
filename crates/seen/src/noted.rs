//! Changes with a note that goes to the disk with them.

use super::changes::{Added, Answers, Change, Note};
use super::{MOST_TOGETHER, PreparedTexts, Seen};

/// Changes that were not taken, their note, and the function that takes their answers.
pub type NotTaken<C, T, F> = (C, Note<T>, F);

impl Seen {
    /// Like [`Seen::submit`], with a [`Note`]. Without texts, only the note goes to the disk. The answers always come from the sequencer, so a
    /// note is never older than one before it.
    ///
    /// # Errors
    /// Gives everything back if too many changes wait.
    pub fn submit_noted<F>(
        &self,
        prepared: PreparedTexts,
        note: Note<Added>,
        then: F,
    ) -> Result<(), NotTaken<PreparedTexts, Added, F>>
    where
        F: FnOnce(Answers<Added>) + Send + 'static,
    {
        if self.is_busy() {
            return Err((prepared, note, then));
        }
        self.send(Change::Add { texts: prepared.compared(), note: Some(note), then: Box::new(then) });
        Ok(())
    }

    /// Like [`Seen::remove`], with a [`Note`].
    ///
    /// # Errors
    /// Gives everything back if too many changes wait.
    ///
    /// # Panics
    /// If there are more ids than [`MOST_TOGETHER`].
    pub fn remove_noted<F>(
        &self,
        ids: Vec<String>,
        note: Note<Option<u64>>,
        then: F,
    ) -> Result<(), NotTaken<Vec<String>, Option<u64>, F>>
    where
        F: FnOnce(Answers<Option<u64>>) + Send + 'static,
    {
        assert!(ids.len() <= MOST_TOGETHER, "a frame has room for them");
        if self.is_busy() {
            return Err((ids, note, then));
        }
        self.send(Change::Remove { ids, purges: false, note: Some(note), then: Box::new(then) });
        Ok(())
    }
}
