//! Keeps an index in order: documents that live longer.

use super::changes::{Change, Decided, SeenError};
use super::{Pending, Seen};
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
}
