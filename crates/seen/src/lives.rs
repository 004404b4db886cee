//! Removes documents, and lets others expire later.

use super::changes::{Answers, Change, Touched, refused};
use super::error::SeenError;
use super::{MOST_TOGETHER, Pending, Seen};
use std::sync::mpsc::sync_channel;

impl Seen {
    /// Removes the document that has this id. Answers with its number, if there was one.
    pub fn remove(&self, id: &str) -> Pending<Option<u64>> {
        pending(|then| self.remove_then(vec![id.to_owned()], then).map_err(|(_, then)| then))
    }

    /// Removes the documents that have these ids, in this order, and calls `then` with the answers: the number of each, if there was one.
    ///
    /// # Errors
    /// Gives everything back if too many changes wait.
    ///
    /// # Panics
    /// If there are more than [`MOST_TOGETHER`].
    pub(crate) fn remove_then<F>(&self, ids: Vec<String>, then: F) -> Result<(), (Vec<String>, F)>
    where
        F: FnOnce(Answers<Option<u64>>) + Send + 'static,
    {
        self.take_out(ids, false, then)
    }

    /// Like [`Seen::remove`], and asks for the text to be gone from the disk. The file that has it is rewritten soon after the answer, in
    /// the background, also after a kill: see [`Reader::purging`](lookalike_index::live::IndexReader::purging).
    pub fn purge(&self, id: &str) -> Pending<Option<u64>> {
        pending(|then| self.purge_then(vec![id.to_owned()], then).map_err(|(_, then)| then))
    }

    /// Like [`Seen::remove_then`], and asks for the texts to be gone from the disk: see [`Seen::purge`].
    ///
    /// # Errors
    /// Gives everything back if too many changes wait.
    ///
    /// # Panics
    /// If there are more than [`MOST_TOGETHER`].
    pub(crate) fn purge_then<F>(&self, ids: Vec<String>, then: F) -> Result<(), (Vec<String>, F)>
    where
        F: FnOnce(Answers<Option<u64>>) + Send + 'static,
    {
        self.take_out(ids, true, then)
    }

    fn take_out<F>(&self, ids: Vec<String>, purges: bool, then: F) -> Result<(), (Vec<String>, F)>
    where
        F: FnOnce(Answers<Option<u64>>) + Send + 'static,
    {
        assert!(ids.len() <= MOST_TOGETHER, "a frame has room for them");
        if self.is_busy() {
            return Err((ids, then));
        }
        self.send(Change::Remove { ids, purges, note: None, then: Box::new(then) });
        Ok(())
    }

    /// Lets the document that has this id expire at second `expires` since 1970, unless it expires later anyway, or never. Answers `None` if
    /// there is none that has not expired at second `now`.
    pub fn touch(&self, id: &str, expires: u32, now: u32) -> Pending<Option<Touched>> {
        pending(|then| self.touch_then(id, expires, now, then))
    }

    /// Like [`Seen::touch`], and calls `then` with the answer.
    ///
    /// # Errors
    /// Gives `then` back if too many changes wait.
    pub(crate) fn touch_then<F>(&self, id: &str, expires: u32, now: u32, then: F) -> Result<(), F>
    where
        F: FnOnce(Answers<Option<Touched>>) + Send + 'static,
    {
        if self.is_busy() {
            return Err(then);
        }
        self.send(Change::Touch { id: id.to_owned(), expires, now, then: Box::new(then) });
        Ok(())
    }
}

/// The answer to a change that `start` starts. If too many wait, it gives back what takes the answer.
fn pending<T: Send + 'static>(
    start: impl FnOnce(Box<dyn FnOnce(Answers<T>) + Send>) -> Result<(), Box<dyn FnOnce(Answers<T>) + Send>>,
) -> Pending<T> {
    let (sender, receiver) = sync_channel(1);
    if let Err(then) = start(Box::new(move |answers| drop(sender.send(answers)))) {
        then(refused(1, &SeenError::Busy));
    }
    Pending(receiver)
}
