//! "Have I seen this text before?", asked of an index one text at a time, from any number of threads.
//!
//! [`Seen::check`] compares a text with all documents of the index. [`Seen::add`] also adds it, if nothing in the index is similar. Of two
//! similar texts that are added at the same moment, one is added and the other is a duplicate of it.
//!
//! An answer is given when everything that it rests on is on the disk. After a kill, no document that was reported as added is missing, and
//! no text was called a duplicate of a document that is not there.
//!
//! # How it works
//!
//! A thread that adds a text sketches it, and compares it with the documents that are on the disk. Only if it is new does the text go to
//! the *sequencer*, one thread that decides about all changes in one order. It compares a text with the documents that were
//! added since that comparison. The *committer* writes what was decided together to the disk, and answers, while the sequencer decides
//! more.
//!
//! Not for: many texts at once, which [`crate::search`] compares with each other faster.

mod changes;
mod check;
mod committer;
#[cfg(feature = "redis")]
pub mod redis;
mod sequencer;
mod shared;
mod sketched;
mod unfinished;

pub use changes::{Added, Decided, NewText, OnDuplicate, SeenError};
pub use check::{Checked, Found};

use crate::error::Error;
use changes::{Change, SketchedNew};
use check::{Checker, Query};
use lookalike::Plan;
use lookalike_index::Index;
use lookalike_index::live::Snapshot;
use sequencer::{Message, Sequencer};
use shared::SharedSeen;
use sketched::SketchedText;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use unfinished::Unfinished;

/// Changes that wait for the sequencer, at most. At 10,000 decisions a second they wait for half a second.
const WAITING_CHANGES: usize = 4096;

/// An index that answers whether a text was seen before. A copy of it shares everything.
///
/// ```
/// use lookalike::Plan;
/// use lookalike_engine::seen::{Added, NewText, Seen};
/// use lookalike_index::Index;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("seen.index");
/// let (seen, closer) = Seen::open(Index::create(&path, &Plan::default())?)?;
/// let text = "to be or not to be, that is the question: whether 'tis nobler in the mind to suffer";
/// assert!(matches!(seen.add(NewText::new("hamlet", text), 0).wait()?.answer, Added::New { .. }));
/// let Added::Duplicate { found, .. } = seen.add(NewText::new("again", text), 0).wait()?.answer else { panic!() };
/// assert_eq!((&found.id[..], found.similarity.value()), ("hamlet", 1.0));
/// closer.close()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Seen {
    shared: Arc<SharedSeen>,
    changes: SyncSender<Message>,
}

/// A text that is sketched, and compared with the documents that were on the disk.
#[derive(Debug)]
pub struct Prepared(Step);

#[derive(Debug)]
enum Step {
    /// It is a duplicate.
    Answered(Box<Decided<Added>>),
    /// The sequencer decides.
    Undecided(Box<SketchedNew>),
}

/// What a comparison with the documents on the disk has shown.
enum Known {
    /// This document is similar.
    Duplicate(Found),
    /// No document before this number is similar.
    NothingBefore(u64),
}

/// Closes the index.
#[derive(Debug)]
pub struct Closer {
    changes: SyncSender<Message>,
    sequencer: JoinHandle<Result<(), lookalike_index::Error>>,
}

/// The answer to a change that is not known yet.
#[derive(Debug)]
pub struct Pending<T>(std::sync::mpsc::Receiver<Result<Decided<T>, SeenError>>);

impl<T> Pending<T> {
    /// Waits until the change is on the disk.
    ///
    /// # Errors
    /// [`SeenError`].
    pub fn wait(self) -> Result<Decided<T>, SeenError> {
        self.0.recv().unwrap_or(Err(SeenError::Closed))
    }
}

impl Seen {
    /// Opens an index that was opened or created to be added to.
    ///
    /// # Errors
    /// [`Error`] if the index cannot be written to.
    pub fn open(index: Index) -> Result<(Self, Closer), Error> {
        let (writer, reader) = index.into_live()?;
        let checker = Checker::new(reader.plan());
        let (waiting, failure) = (AtomicUsize::new(0), Mutex::default());
        let shared = Arc::new(SharedSeen { reader, checker, waiting, failure });
        // Room for the messages of the committer, and for changes of threads that see at the same time that there is room.
        let (changes, messages) = sync_channel(2 * WAITING_CHANGES);
        let (reports, close) = (changes.clone(), changes.clone());
        let sequencer = Sequencer::new(Arc::clone(&shared), writer);
        let sequencer = thread::Builder::new()
            .name("lookalike sequencer".to_owned())
            .spawn(move || sequencer.run(&messages, reports))
            .map_err(|error| Error::Threads { threads: 1, message: error.to_string() })?;
        Ok((Seen { shared, changes }, Closer { changes: close, sequencer }))
    }

    /// The plan by which texts are sketched and compared.
    pub fn plan(&self) -> &Plan {
        self.shared.checker.plan()
    }

    /// The documents that are on the disk now.
    pub fn snapshot(&self) -> Snapshot {
        self.shared.reader.snapshot()
    }

    /// Compares `text` with all documents that have not expired at second `now` since 1970. Finds those whose similarity reaches
    /// `threshold`, or the plan's own threshold if that is higher.
    ///
    /// # Errors
    /// [`SeenError::Index`] if the index is damaged.
    pub fn check(&self, text: &str, threshold: f64, now: u32) -> Result<Checked, SeenError> {
        let checker = &self.shared.checker;
        let query = Query { text: &checker.sketch(text), first: 0, threshold, now };
        Ok(checker.check(query, &self.snapshot(), &Unfinished::default())?)
    }

    /// Adds `text`, unless it is similar to a document that has not expired at second `now` since 1970.
    pub fn add(&self, text: NewText, now: u32) -> Pending<Added> {
        let (sender, receiver) = sync_channel(1);
        self.add_then(text, now, move |answer| drop(sender.send(answer)));
        Pending(receiver)
    }

    /// Like [`Seen::add`], and calls `then` with the answer, on one of its threads or on this one. `then` must not take long.
    pub fn add_then(
        &self,
        text: NewText,
        now: u32,
        then: impl FnOnce(Result<Decided<Added>, SeenError>) + Send + 'static,
    ) {
        match self.prepare(text, now) {
            Ok(prepared) => {
                if let Err((_, then)) = self.submit(prepared, then) {
                    then(Err(SeenError::Busy));
                }
            }
            Err(error) => then(Err(error)),
        }
    }

    /// The work of [`Seen::add`] that many threads can do at the same time: sketches `text`, and compares it with the documents that are on
    /// the disk. Texts are decided in the order in which they are [submitted](Seen::submit).
    ///
    /// # Errors
    /// [`SeenError::Index`] if the index is damaged.
    pub fn prepare(&self, text: NewText, now: u32) -> Result<Prepared, SeenError> {
        let sketch = self.shared.checker.sketch(&text.text);
        let snapshot = self.snapshot();
        Ok(Prepared(match self.known(&text, &sketch, &snapshot, now)? {
            Known::Duplicate(found) => {
                let answer = Added::Duplicate { found, number: None };
                Step::Answered(Box::new(Decided { answer, sequence: snapshot.sequence() }))
            }
            Known::NothingBefore(checked) => {
                Step::Undecided(Box::new(SketchedNew { text, sketch, checked, now }))
            }
        }))
    }

    /// Adds a text that was prepared, and calls `then` with the answer.
    ///
    /// # Errors
    /// Gives everything back if too many changes wait.
    pub fn submit<F>(&self, prepared: Prepared, then: F) -> Result<(), (Prepared, F)>
    where
        F: FnOnce(Result<Decided<Added>, SeenError>) + Send + 'static,
    {
        match prepared.0 {
            Step::Answered(answer) => then(Ok(*answer)),
            Step::Undecided(_) if self.is_busy() => return Err((prepared, then)),
            Step::Undecided(text) => self.send(Change::Add { text, then: Box::new(then) }),
        }
        Ok(())
    }

    /// Whether as many changes wait as may.
    pub fn is_busy(&self) -> bool {
        self.shared.waiting.load(Ordering::Relaxed) >= WAITING_CHANGES
    }

    /// Why changes cannot be written now, if they cannot.
    pub fn failure(&self) -> Option<String> {
        self.shared.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The number of changes that wait for the sequencer.
    pub fn waiting(&self) -> usize {
        self.shared.waiting.load(Ordering::Relaxed)
    }

    /// Compares a text with the documents that are on the disk, so that the sequencer need not.
    fn known(
        &self,
        text: &NewText,
        sketch: &SketchedText,
        snapshot: &Snapshot,
        now: u32,
    ) -> Result<Known, SeenError> {
        // The sequencer finds all documents that a text is linked to. An id that is there has precedence over similar documents, and it
        // may be gone when the sequencer decides.
        if text.on_duplicate != OnDuplicate::Refuse || snapshot.find(&text.id)?.is_some() {
            return Ok(Known::NothingBefore(0));
        }
        let query = Query { text: sketch, first: 0, threshold: 0.0, now };
        let checked = self.shared.checker.check(query, snapshot, &Unfinished::default())?;
        let found = checked.found.into_iter().next();
        Ok(found.map_or(Known::NothingBefore(snapshot.documents()), Known::Duplicate))
    }

    /// Removes the document that has this id. Returns whether there was one.
    pub fn remove(&self, id: &str) -> Pending<bool> {
        let (sender, receiver) = sync_channel(1);
        self.remove_then(id, move |answer| drop(sender.send(answer)));
        Pending(receiver)
    }

    /// Like [`Seen::remove`], and calls `then` with the answer.
    pub fn remove_then(
        &self,
        id: &str,
        then: impl FnOnce(Result<Decided<bool>, SeenError>) + Send + 'static,
    ) {
        self.send(Change::Remove { id: id.to_owned(), then: Box::new(then) });
    }

    fn send(&self, change: Change) {
        self.shared.waiting.fetch_add(1, Ordering::Relaxed);
        let (message, error) = match self.changes.try_send(Message::Change(change)) {
            Ok(()) => return,
            Err(TrySendError::Full(message)) => (message, SeenError::Busy),
            Err(TrySendError::Disconnected(message)) => (message, SeenError::Closed),
        };
        self.shared.waiting.fetch_sub(1, Ordering::Relaxed);
        if let Message::Change(change) = message {
            change.refuse(error);
        }
    }
}

impl Closer {
    /// Waits until all changes so far are on the disk, makes a run of the newest documents, and closes the index. Every [`Seen`] that is left
    /// gets [`SeenError::Closed`] for its changes.
    ///
    /// # Errors
    /// [`Error`] if the index could not be written.
    pub fn close(self) -> Result<(), Error> {
        // It takes until there is room. A sequencer that has ended needs no message.
        let _ = self.changes.send(Message::Close);
        match self.sequencer.join() {
            Ok(closed) => Ok(closed?),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

#[cfg(test)]
mod tests;
