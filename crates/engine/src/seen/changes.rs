//! Changes of an index, and their answers.

use super::check::Found;
use super::sketched::SketchedText;
use lookalike_index::Error as IndexError;

/// A text to be added.
#[derive(Clone, Debug)]
pub struct NewText {
    /// The id of its document.
    pub id: String,
    /// The text.
    pub text: String,
    /// Metadata in JSON.
    pub meta: Option<String>,
    /// The second since 1970 from which on it is not found any more.
    pub expires: Option<u32>,
    /// What happens if it is similar to a document.
    pub on_duplicate: OnDuplicate,
}

impl NewText {
    /// A text without metadata that does not expire, and is refused if it is a duplicate.
    pub fn new(id: impl Into<String>, text: impl Into<String>) -> Self {
        let (id, text) = (id.into(), text.into());
        NewText { id, text, meta: None, expires: None, on_duplicate: OnDuplicate::Refuse }
    }
}

/// What happens to a text that is similar to a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnDuplicate {
    /// It is not stored. The documents of the index are then the ones that `dedup --cluster star` keeps of the same texts in this order.
    #[default]
    Refuse,
    /// It is stored like a new text. Nothing is compared.
    Ignore,
    /// It is stored, and linked to all documents that it is similar to. The clusters are then those of `dedup`.
    Store,
}

/// The answer to a text that was to be added.
#[derive(Clone, Debug, PartialEq)]
pub enum Added {
    /// It is new, and was stored.
    New {
        /// Its number in the index.
        number: u64,
    },
    /// It is similar to a document.
    Duplicate {
        /// The most similar document.
        found: Found,
        /// Its own number, if it was stored.
        number: Option<u64>,
    },
    /// The index has a document with the same id and the same text.
    Unchanged {
        /// The number of that document.
        number: u64,
    },
    /// The index has a document with the same id and another text. Nothing was stored.
    OtherText {
        /// The number of that document.
        number: u64,
    },
}

/// An answer, and its place in the order of all changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided<T> {
    /// The answer.
    pub answer: T,
    /// The number of changes of the index before it. The answer holds for the index with exactly these changes.
    pub sequence: u64,
}

/// A change that the sequencer decides, and the function that takes its answer.
pub(super) enum Change {
    /// A text is added.
    Add { text: Box<SketchedNew>, then: Then<Added> },
    /// The document that has this id is removed, if there is one. If it `purges`, the text is to be gone from the disk.
    Remove { id: String, purges: bool, then: Then<bool> },
    /// The document that has this id expires later, if there is one at second `now`.
    Touch { id: String, expires: u32, now: u32, then: Then<bool> },
}

/// A text to be added, as far as threads could work on it at the same time.
#[derive(Debug)]
pub(super) struct SketchedNew {
    pub(super) text: NewText,
    pub(super) sketch: SketchedText,
    /// No document before this number is similar.
    pub(super) checked: u64,
    /// The sequence number of the snapshot that it was compared with.
    pub(super) snapshot: u64,
    /// The second since 1970.
    pub(super) now: u32,
}

/// Takes the answer to a change.
pub(super) type Then<T> = Box<dyn FnOnce(Result<Decided<T>, SeenError>) + Send>;

impl Change {
    /// Answers that the change was not made.
    pub(super) fn refuse(self, error: SeenError) {
        match self {
            Change::Add { then, .. } => then(Err(error)),
            Change::Remove { then, .. } | Change::Touch { then, .. } => then(Err(error)),
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SeenError {
    /// Too many changes wait.
    #[error("too many changes wait to be written; try again later")]
    Busy,
    /// The change could not be written to the disk. If the disk failed so that it could not be cut off either, it may be in
    /// the index after a restart all the same.
    #[error("the change could not be written: {reason}")]
    NotWritten {
        /// The reason.
        reason: String,
        /// Whether the disk is full.
        is_full: bool,
    },
    /// The index cannot be read.
    #[error("the index cannot be read: {reason}")]
    Index {
        /// The reason.
        reason: String,
    },
    /// The index was closed.
    #[error("the index was closed")]
    Closed,
}

impl From<IndexError> for SeenError {
    fn from(error: IndexError) -> Self {
        SeenError::Index { reason: error.to_string() }
    }
}
