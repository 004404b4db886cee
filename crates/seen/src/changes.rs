//! Changes of an index, and their answers.

use super::check::DocumentMatch;
use super::error::SeenError;
use super::sketched::SketchedText;
use lookalike_index::About;
use lookalike_index::EncodedDocument;
use lookalike_index::live::Changes;

/// A text to be added.
#[derive(Clone, Debug)]
pub struct NewText {
    /// The id of its document.
    pub id: String,
    /// The text.
    pub text: String,
    /// What is known about it.
    pub about: About,
    /// The second since 1970 from which on it is not found any more.
    pub expires: Option<u32>,
    /// What happens if it is similar to a document.
    pub on_duplicate: OnDuplicate,
}

impl NewText {
    /// A text without metadata that does not expire, and is refused if it is a duplicate.
    pub fn new(id: impl Into<String>, text: impl Into<String>) -> Self {
        let (id, text) = (id.into(), text.into());
        NewText { id, text, about: About::default(), expires: None, on_duplicate: OnDuplicate::Refuse }
    }
}

/// What happens to a text that is similar to a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnDuplicate {
    /// It is not stored. The documents of the index are then the ones that `dedup --cluster star` keeps of the same texts in this order.
    #[default]
    Refuse,
    /// It is not stored, and the document that it is most similar to expires no sooner than the text would. So does the document that has its id
    /// and its text.
    Touch,
    /// It is stored like a new text. Nothing is compared.
    Ignore,
    /// It is stored, and linked to all documents that it is similar to. The clusters are then those of `dedup`.
    Store,
}

/// A document that was made to expire later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touched {
    /// Its number in the index.
    pub number: u64,
    /// The second since 1970 at which it expires now, if it does.
    pub expires: Option<u32>,
}

/// The answer to a text that was to be added.
#[derive(Clone, Debug, PartialEq)]
pub enum Added {
    /// It is new, and was stored.
    New {
        /// Its number in the index.
        number: u64,
        /// Whether the sketches of more documents match its own than a text is compared with, so that it may be similar to one of the others.
        is_capped: bool,
    },
    /// It is similar to a document.
    Duplicate {
        /// The most similar document.
        found: DocumentMatch,
        /// Its own number, and the documents that it was linked to, if it was stored.
        stored: Option<Linked>,
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

/// A duplicate that was stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    /// Its number in the index.
    pub number: u64,
    /// A document of each cluster that it was similar to. All of these are one cluster now.
    pub to: Vec<u64>,
}

/// An answer, and its place in the order of all changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided<T> {
    /// The answer.
    pub answer: T,
    /// The number of changes of the index before it. The answer holds for the index with exactly these changes.
    pub sequence: u64,
}

/// A change that the sequencer decides, and the function that takes its answers.
pub(super) enum Change {
    /// Texts are added, in this order.
    Add { texts: Vec<PreparedText>, note: Option<Note<Added>>, then: ThenAll<Added> },
    /// The documents that have these ids are removed, as far as there are any. If it `purges`, their texts are to be gone from the disk.
    Remove { ids: Vec<String>, purges: bool, note: Option<Note<Option<u64>>>, then: ThenAll<Option<u64>> },
    /// The document that has this id expires later, if there is one at second `now`.
    Touch { id: String, expires: u32, now: u32, then: ThenAll<Option<Touched>> },
    /// The changes of another index are made, of which this one is a copy.
    Apply { changes: Changes, then: Box<dyn FnOnce(Result<(), SeenError>) + Send> },
}

/// A text to be added, as far as threads could work on it at the same time.
#[derive(Debug)]
pub(super) struct PreparedText {
    pub(super) new: NewText,
    pub(super) sketch: SketchedText,
    /// Its bytes in the log. A text that has an answer is hardly ever stored, so it has none.
    pub(super) encoded: Option<EncodedDocument>,
    pub(super) known: KnownText,
    /// The answer, if the documents on the disk decide it. It holds until there is another change.
    pub(super) answer: Option<Decided<Added>>,
    /// The second since 1970.
    pub(super) now: u32,
}

/// What the documents on the disk have shown about a text.
#[derive(Debug)]
pub(super) struct KnownText {
    /// The sequence number of the snapshot that has these documents.
    pub(super) sequence: u64,
    /// No document before this number has the id.
    pub(super) looked_up: u64,
    /// Of the documents before this number, only `similar` are similar.
    pub(super) compared: u64,
    /// All similar documents if the text is stored with links to them, and otherwise the most similar one.
    pub(super) similar: Vec<DocumentMatch>,
    /// Whether there were more candidates than a text is compared with.
    pub(super) is_capped: bool,
}

/// The answers to changes that were made together.
pub type Answers<T> = Vec<Result<Decided<T>, SeenError>>;

/// Gets the answers to changes that were made together, before they are on the disk, and returns what is to be found again with them: see
/// [`Index::payload`](lookalike_index::Index::payload). It is on the disk exactly if the changes are. It is called in the order of the changes,
/// and must not take long. If several changes go to the disk together, the last of their notes counts.
pub type Note<T> = Box<dyn FnOnce(&Answers<T>) -> Vec<u8> + Send>;

/// Takes the answers to changes that were made together.
pub(super) type ThenAll<T> = Box<dyn FnOnce(Answers<T>) + Send>;

impl Change {
    /// The number of texts, ids, or documents.
    pub(super) fn len(&self) -> usize {
        match self {
            Change::Add { texts, .. } => texts.len(),
            Change::Remove { ids, .. } => ids.len(),
            Change::Touch { .. } => 1,
            Change::Apply { changes, .. } => changes.documents(),
        }
    }

    /// The bytes that it takes while it waits, about.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Change::Add { texts, .. } => texts.iter().map(PreparedText::bytes).sum(),
            Change::Remove { ids, .. } => ids.iter().map(String::len).sum(),
            Change::Touch { id, .. } => id.len(),
            Change::Apply { changes, .. } => changes.bytes(),
        }
    }

    /// Answers that nothing of it was made.
    pub(super) fn refuse(self, error: &SeenError) {
        match self {
            Change::Add { texts, then, .. } => then(refused(texts.len(), error)),
            Change::Remove { ids, then, .. } => then(refused(ids.len(), error)),
            Change::Touch { then, .. } => then(refused(1, error)),
            Change::Apply { then, .. } => then(Err(error.clone())),
        }
    }
}

impl PreparedText {
    fn bytes(&self) -> usize {
        self.encoded.as_ref().map_or(0, EncodedDocument::bytes) + 8 * self.sketch.features.len()
    }
}

/// The answers to so many changes that were not made.
pub(super) fn refused<T>(changes: usize, error: &SeenError) -> Answers<T> {
    std::iter::repeat_with(|| Err(error.clone())).take(changes).collect()
}
