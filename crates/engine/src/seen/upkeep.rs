//! Documents that live longer, texts that are to be gone, and work on the files of an index while it answers.

use super::changes::{Change, Decided, SeenError};
use super::{Pending, Seen};
use lookalike_index::live::Reader;
use std::sync::mpsc::sync_channel;

impl Seen {
    /// Lets the document that has this id expire at second `expires` since 1970, unless it expires later anyway, or never. Returns whether there is
    /// one that has not expired at second `now`.
    pub fn touch(&self, id: &str, expires: u32, now: u32) -> Pending<bool> {
        let (sender, receiver) = sync_channel(1);
        self.touch_then(id, expires, now, move |answer| drop(sender.send(answer)));
        Pending(receiver)
    }

    /// Like [`Seen::touch`], and calls `then` with the answer.
    pub fn touch_then(
        &self,
        id: &str,
        expires: u32,
        now: u32,
        then: impl FnOnce(Result<Decided<bool>, SeenError>) + Send + 'static,
    ) {
        self.send(Change::Touch { id: id.to_owned(), expires, now, then: Box::new(then) });
    }

    /// Removes the document that has this id, and asks for its text to be gone from the disk. Returns whether there was one. The answer is given when
    /// this is on the disk. The file that has the text is rewritten soon after it, in the background, also after a kill:
    /// see [`Reader::purging`].
    pub fn purge(&self, id: &str) -> Pending<bool> {
        let (sender, receiver) = sync_channel(1);
        self.purge_then(id, move |answer| drop(sender.send(answer)));
        Pending(receiver)
    }

    /// Like [`Seen::purge`], and calls `then` with the answer.
    pub fn purge_then(&self, id: &str, then: impl FnOnce(Result<Decided<bool>, SeenError>) + Send + 'static) {
        self.send(Change::Remove { id: id.to_owned(), purges: true, then: Box::new(then) });
    }

    /// Reads the index, merges its runs, rewrites or verifies its files, and makes backups of it, while it answers.
    pub fn reader(&self) -> &Reader {
        &self.shared.reader
    }
}
