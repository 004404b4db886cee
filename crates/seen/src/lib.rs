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
//! Texts that come behind others, such as the lines of a request, are [prepared](Seen::prepare) before the others are decided. All of them go to the
//! sequencer ([`Seen::submit`]), also duplicates: an answer that rests on the disk alone would not know what was decided since.
//!
//! # How a request is decided
//!
//! ```text
//! request ──→ sketch, check against a snapshot ──→ sequencer ──→ frame ──→ committer ──→ answer
//!             (thread of the request)              (one thread)            (append, fdatasync)
//!                      │                                                        │
//!                      └── duplicate: answer                                    └──→ runs, merging (background)
//! ```
//!
//! **In the thread of the request.** A text is sketched and compared with the documents on the disk (`Seen::prepare`).
//! A duplicate is answered there, and so is an id that exists. These answers rest only on documents that are on the
//! disk. All other texts go to the sequencer, compressed, with the number of documents that they were compared with. If
//! duplicates are stored too, the similar documents go with them. The lines of a bulk request do this in groups. Their
//! duplicates go to the sequencer too (`Seen::submit`): a line before may have been stored since. If nothing has
//! changed since the snapshot, the sequencer takes the answer as it is. Otherwise it looks at the documents that came
//! since, as for all other texts.
//!
//! **In one order.** The `sequencer` takes changes one after the other. It compares a text only with documents that
//! came later than its snapshot, so a decision takes little time. These documents may not be on the disk yet, and
//! `unfinished` has their features. The decision becomes records of the next frame of the log.
//!
//! **In groups.** While the `committer` waits for `fdatasync`, the sequencer collects the next frame. A slow disk makes
//! larger frames. All answers of a frame are given after its sync. Readers see its documents from then on
//! (`Commit::finish`). An answer that rests on a document of the frame waits with it. If the frame cannot be written,
//! nothing of it is stored. All that was decided since is refused (`IndexWriter::roll_back`). After a failed
//! `fdatasync` the frame is cut off, and the next one goes to a new file (`OpenLog::write`): nothing that was refused
//! comes back. If the cut fails too, changes are refused until it succeeds.
//!
//! Not for: many texts at once, which `engine` compares with each other faster.
#![forbid(unsafe_code)]

#[cfg(feature = "redis")]
mod anywhere;
mod canonical;
mod changes;
mod check;
mod clusters;
mod committer;
mod copy_writer;
mod error;
mod extensions;
mod filter;
mod following;
mod lives;
mod members;
mod meter;
#[cfg(feature = "metrics")]
pub mod metrics;
mod nearest;
mod noted;
mod prepare;
#[cfg(feature = "redis")]
pub mod redis;
mod resketch;
mod scorer;
mod sequencer;
mod shared;
mod sketched;
mod stored;
mod unfinished;
mod waiting;

#[cfg(feature = "redis")]
pub use anywhere::{
    Answer, Changed, DocumentName, IndexFigures, NotReady, SeenIndex, Submitted, Then, decided,
};
pub use canonical::Canonical;
pub use changes::{Added, Answers, Decided, Linked, NewText, Note, OnDuplicate, Touched};
pub use check::{Checked, DocumentMatch};
pub use error::SeenError;
pub use meter::Meter;
pub use noted::NotTaken;
pub use resketch::{count_frequencies, resketch};
pub use sketched::SketchedText;
pub use stored::StoredDocument;

use changes::{Change, PreparedText, refused};
use check::{TextChecker, TextQuery};
use clusters::StoredClusters;
use lookalike::Plan;
use lookalike_index::live::{IndexReader, Snapshot};
use lookalike_index::{Error, Index};
use sequencer::{Sequencer, SequencerMessage};
use shared::SharedSeen;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use unfinished::Unfinished;
use waiting::WaitingChanges;

/// Texts or ids that are given to the sequencer together, at most.
pub const MOST_TOGETHER: usize = 1024;

/// An index that answers whether a text was seen before. A copy of it shares everything.
///
/// ```
/// use lookalike::Plan;
/// use lookalike_seen::{Added, NewText, Seen};
/// use lookalike_index::Index;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("seen.index");
/// let (seen, closer) = Seen::open(Index::create(&path, &Plan::default())?)?;
/// let text = "to be or not to be, that is the question: whether 'tis nobler in the mind to suffer";
/// assert!(matches!(seen.add(NewText::new("hamlet", text), 0).wait()?.answer, Added::New { .. }));
/// let Added::Duplicate { found, .. } = seen.add(NewText::new("again", text), 0).wait()?.answer else { panic!() };
/// assert_eq!((&found.id[..], found.score.to_string()), ("hamlet", "1.000000".to_owned()));
/// closer.close()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Seen {
    shared: Arc<SharedSeen>,
    changes: SyncSender<SequencerMessage>,
}

/// Texts that an index has prepared. They are submitted to this index.
#[derive(Debug)]
pub struct PreparedTexts(Prepared);

#[derive(Debug)]
enum Prepared {
    /// They are compared with the documents that were on the disk.
    Compared(Vec<PreparedText>),
    /// They are sketched. The index is in Redis, which compares them when they are submitted.
    #[cfg(feature = "redis")]
    Sketched(Vec<(NewText, SketchedText)>),
}

impl PreparedTexts {
    /// The texts, as an index in a folder has prepared them.
    fn compared(self) -> Vec<PreparedText> {
        match self.0 {
            Prepared::Compared(texts) => texts,
            #[cfg(feature = "redis")]
            Prepared::Sketched(_) => panic!("another index has prepared these texts"),
        }
    }
}

/// Closes the index.
#[derive(Debug)]
pub struct Closer {
    changes: SyncSender<SequencerMessage>,
    sequencer: JoinHandle<Result<(), lookalike_index::Error>>,
}

/// The answer to a change that is not known yet.
#[derive(Debug)]
pub struct Pending<T>(std::sync::mpsc::Receiver<Answers<T>>);

impl<T> Pending<T> {
    /// Waits until the change is on the disk.
    ///
    /// # Errors
    /// [`SeenError`].
    pub fn wait(self) -> Result<Decided<T>, SeenError> {
        let answer = self.0.recv().ok().and_then(|mut answers| answers.pop());
        answer.unwrap_or(Err(SeenError::Closed))
    }
}

impl Seen {
    /// Opens an index that was opened or created to be added to.
    ///
    /// # Errors
    /// [`Error`] if the index cannot be written to.
    pub fn open(index: Index) -> Result<(Self, Closer), Error> {
        Self::open_measured(index, Arc::new(()))
    }

    /// Like [`Seen::open`], and tells `meter` what happens.
    ///
    /// # Errors
    /// [`Error`] if the index cannot be written to.
    pub fn open_measured(index: Index, meter: Arc<dyn Meter>) -> Result<(Self, Closer), Error> {
        let clusters = StoredClusters::new(index.clusters()?);
        let (writer, reader) = index.into_live()?;
        let checker = TextChecker::new(reader.plan(), reader.tables(), reader.weights());
        let (encoder, waiting, failure) = (writer.encoder(), WaitingChanges::default(), Mutex::default());
        let shared = Arc::new(SharedSeen { reader, checker, encoder, clusters, waiting, failure, meter });
        // Room for the messages of the committer, and for changes of threads that see at the same time that there is room.
        let (changes, messages) = sync_channel(2 * waiting::MOST_CHANGES);
        let (reports, close) = (changes.clone(), changes.clone());
        let sequencer = Sequencer::new(Arc::clone(&shared), writer);
        let sequencer = thread::Builder::new()
            .name("lookalike sequencer".to_owned())
            .spawn(move || sequencer.run(&messages, reports))
            .map_err(|error| Error::Thread { message: error.to_string() })?;
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
    /// `threshold`; 0 stands for that of the plan. Below it, the bands find fewer: [`Plan::chance_at`] of [`Plan::with_threshold`] is the recall. A
    /// plan of distances finds all within its own.
    ///
    /// # Errors
    /// [`SeenError::Index`] if the index is damaged.
    pub fn check(&self, text: &str, threshold: f64, now: u32) -> Result<Checked, SeenError> {
        self.check_sketch(&self.shared.checker.sketch(text), threshold, now)
    }

    /// The same, of a text that is sketched.
    fn check_sketch(&self, text: &SketchedText, threshold: f64, now: u32) -> Result<Checked, SeenError> {
        let checker = &self.shared.checker;
        let plan = checker.plan_for(threshold);
        let query = TextQuery { text, first: 0, plan: &plan, threshold, now };
        Ok(checker.check(query, &self.snapshot(), &Unfinished::default())?)
    }

    /// Adds `text`, unless it is similar to a document that has not expired at second `now` since 1970.
    pub fn add(&self, text: NewText, now: u32) -> Pending<Added> {
        let (sender, receiver) = sync_channel(1);
        let then = move |answers| drop(sender.send(answers));
        match self.prepare(vec![text], now) {
            Ok(prepared) => {
                if let Err((_, then)) = self.submit_alone(prepared, then) {
                    then(refused(1, &SeenError::Busy));
                }
            }
            Err(error) => then(refused(1, &error)),
        }
        Pending(receiver)
    }

    /// The work of [`Seen::add`] that many threads can do at the same time: sketches `texts`, and compares them with the documents that are
    /// on the disk. Texts are decided in the order in which they are [submitted](Seen::submit), those of one call in their order.
    ///
    /// # Errors
    /// [`SeenError::Index`] if the index is damaged.
    ///
    /// # Panics
    /// If there are more than [`MOST_TOGETHER`].
    pub fn prepare(&self, texts: Vec<NewText>, now: u32) -> Result<PreparedTexts, SeenError> {
        assert!(texts.len() <= MOST_TOGETHER, "a frame has room for them");
        let snapshot = self.snapshot();
        let prepare = |text| self.shared.prepare(text, &snapshot, now);
        Ok(PreparedTexts(Prepared::Compared(texts.into_iter().map(prepare).collect::<Result<_, _>>()?)))
    }

    /// Adds texts that were prepared, and calls `then` with their answers on another thread. `then` must not take long. The texts are decided
    /// behind all changes that were submitted before, and their answers know these changes.
    ///
    /// # Errors
    /// Gives everything back if too many changes wait.
    ///
    /// # Panics
    /// If another index has prepared the texts.
    pub fn submit<F>(&self, prepared: PreparedTexts, then: F) -> Result<(), (PreparedTexts, F)>
    where
        F: FnOnce(Answers<Added>) + Send + 'static,
    {
        if self.is_busy() {
            return Err((prepared, then));
        }
        self.send(Change::Add { texts: prepared.compared(), note: None, then: Box::new(then) });
        Ok(())
    }

    /// Like [`Seen::submit`], for texts that come behind no others. If the documents on the disk decide all of them, they are answered at once,
    /// on this thread.
    ///
    /// # Errors
    /// Gives everything back if too many changes wait.
    ///
    /// # Panics
    /// If another index has prepared the texts.
    pub fn submit_alone<F>(&self, prepared: PreparedTexts, then: F) -> Result<(), (PreparedTexts, F)>
    where
        F: FnOnce(Answers<Added>) + Send + 'static,
    {
        let texts = prepared.compared();
        let answers = texts.iter().map(|text| text.answer.clone().map(Ok));
        match answers.collect::<Option<Answers<Added>>>() {
            Some(answers) => then(answers),
            None => return self.submit(PreparedTexts(Prepared::Compared(texts)), then),
        }
        Ok(())
    }

    /// Whether as many changes wait as may.
    pub(crate) fn is_busy(&self) -> bool {
        self.shared.waiting.is_full() || self.shared.reader.is_behind()
    }

    /// Reads the index, merges its runs, rewrites or verifies its files, and makes backups of it, while it answers.
    pub fn reader(&self) -> &IndexReader {
        &self.shared.reader
    }

    /// Why changes cannot be written now, if they cannot.
    pub fn failure(&self) -> Option<String> {
        self.shared.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The number of changes that wait for the sequencer.
    pub fn waiting(&self) -> usize {
        self.shared.waiting.changes()
    }

    fn send(&self, change: Change) {
        self.shared.waiting.add(&change);
        let (message, error) = match self.changes.try_send(SequencerMessage::Change(change)) {
            Ok(()) => return,
            Err(TrySendError::Full(message)) => (message, SeenError::Busy),
            Err(TrySendError::Disconnected(message)) => (message, SeenError::Closed),
        };
        if let SequencerMessage::Change(change) = message {
            self.shared.waiting.remove(&change);
            change.refuse(&error);
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
        let _ = self.changes.send(SequencerMessage::Close);
        match self.sequencer.join() {
            Ok(closed) => closed,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

#[cfg(test)]
mod tests;
