//! An index of documents that were seen, wherever it is: in a folder, or in Redis. Both give the same answers.
//!
//! A folder belongs to one process, and its answers to questions are there at once. Several processes may change an index
//! in Redis, and all of its answers are waited for.

mod folder;
mod redis;

use crate::changes::{Added, Answers, Decided, NewText, Touched};
use crate::check::{Checked, DocumentMatch};
use crate::error::SeenError;
use crate::sketched::SketchedText;
use crate::stored::StoredDocument;
use crate::{PreparedTexts, Seen};
use lookalike::{Plan, Score, Weights};
use std::fmt;
use std::pin::Pin;
use tokio::sync::oneshot;

/// The answer to a question. That of an index in a folder is there when it is first polled.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, SeenError>> + Send + 'a>>;

/// The answer to a change, which is there when the change lasts.
pub type Changed<'a, T> = Pin<Box<dyn Future<Output = Result<Decided<T>, SeenError>> + Send + 'a>>;

/// Takes the answers to changes, in their order. An index in a folder gives all of them at once when they are on the disk, and
/// one in Redis gives each when it is there. It must not take long.
pub type Then<T> = Box<dyn FnMut(Answers<T>) + Send>;

/// Whether changes were taken. If too many others wait, they are given back. Redis takes all, and has answered when this is
/// there: whoever drops it gets no more answers.
pub type Submitted<'a, C, T> = Pin<Box<dyn Future<Output = Result<(), (C, Then<T>)>> + Send + 'a>>;

/// By what a document is found.
#[derive(Clone, Copy, Debug)]
pub enum DocumentName<'n> {
    /// Its id.
    Id(&'n str),
    /// Its URL, in any spelling.
    Url(&'n str),
}

/// Figures of an index.
#[derive(Clone, Copy, Debug, Default)]
pub struct IndexFigures {
    /// The documents that were ever added.
    pub documents: u64,
    /// The number of changes.
    pub sequence: u64,
    /// The runs, which are files.
    pub runs: usize,
    /// The memtables, which have the newest documents.
    pub memtables: usize,
    /// How often runs were merged since the index was opened.
    pub merges: u64,
    /// The changes that wait to be decided.
    pub waiting: usize,
}

/// Why an index cannot be changed safely now, each with a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotReady {
    /// Changes cannot be written.
    NotWriting(String),
    /// The index was deleted, or made anew.
    Gone(String),
    /// Redis removes parts of the index when its memory is full.
    Evicts(String),
}

/// An index of documents that were seen, in a folder or in Redis.
///
/// Errors of questions are [`SeenError::Index`] if the index is damaged, and [`SeenError::Unreachable`] if Redis does not
/// answer.
pub trait SeenIndex: fmt::Debug + Send + Sync {
    /// The plan by which texts are sketched and compared.
    fn plan(&self) -> &Plan;

    /// The weights of features in its fingerprints.
    fn weights(&self) -> &Weights;

    /// Whether the texts of its documents are stored.
    fn stores_texts(&self) -> bool;

    /// The index in a folder, for work on its files and for notes. `None` if others may change the index too.
    fn folder(&self) -> Option<&Seen>;

    /// The sketch of `text`.
    fn sketch(&self, text: &str) -> SketchedText;

    /// The document that has this name, also if it has expired, and its sketch.
    fn sketch_of<'a>(&'a self, name: DocumentName<'a>) -> Answer<'a, Option<(StoredDocument, SketchedText)>>;

    /// The documents that a text is similar to: see [`Seen::check`].
    fn check<'a>(&'a self, text: &'a SketchedText, threshold: f64, now: u32) -> Answer<'a, Checked>;

    /// The candidate that is nearest to a text: see [`Seen::nearest`].
    fn nearest<'a>(
        &'a self,
        text: &'a SketchedText,
        except: Option<&'a str>,
        now: u32,
    ) -> Answer<'a, Option<DocumentMatch>>;

    /// The document that has this name, also if it has expired, and its text if that is asked for and is stored.
    fn find<'a>(
        &'a self,
        name: DocumentName<'a>,
        with_text: bool,
    ) -> Answer<'a, Option<(StoredDocument, Option<String>)>>;

    /// The documents of the cluster of the document with this number that have not expired at second `now` since 1970,
    /// ascending.
    fn members(&self, number: u64, now: u32) -> Answer<'_, Vec<StoredDocument>>;

    /// The score of the document with number `to` and each of `others`.
    fn scores<'a>(&'a self, to: u64, others: &'a [u64]) -> Answer<'a, Vec<Score>>;

    /// Its figures now.
    fn figures(&self) -> Answer<'_, IndexFigures>;

    /// What makes changes last, in a few words: `fdatasync`, or the setting of Redis.
    fn durability(&self) -> Answer<'_, Result<String, NotReady>>;

    /// The work on `texts` that many threads can do at the same time, and that waits for nothing. They are submitted to this
    /// index. One in a folder compares them with what has not expired at second `now` since 1970, and one in Redis compares
    /// each when it is submitted, at that second.
    ///
    /// # Errors
    /// [`SeenError::Index`] if the index is damaged.
    ///
    /// # Panics
    /// If there are more than [`MOST_TOGETHER`](crate::MOST_TOGETHER).
    fn prepare(&self, texts: Vec<NewText>, now: u32) -> Result<PreparedTexts, SeenError>;

    /// Adds texts that were prepared, in their order. In a folder they are decided behind all that were submitted before.
    ///
    /// # Panics
    /// If another index has prepared the texts.
    fn submit(&self, texts: PreparedTexts, then: Then<Added>) -> Submitted<'_, PreparedTexts, Added>;

    /// Like [`SeenIndex::submit`], for texts that come behind no others: see [`Seen::submit_alone`].
    ///
    /// # Panics
    /// If another index has prepared the texts.
    fn submit_alone(&self, texts: PreparedTexts, then: Then<Added>) -> Submitted<'_, PreparedTexts, Added>;

    /// Removes the documents that have these ids, at most [`MOST_TOGETHER`](crate::MOST_TOGETHER).
    fn remove(&self, ids: Vec<String>, then: Then<Option<u64>>) -> Submitted<'_, Vec<String>, Option<u64>>;

    /// Like [`SeenIndex::remove`], and the texts are gone from the disk soon.
    fn purge(&self, ids: Vec<String>, then: Then<Option<u64>>) -> Submitted<'_, Vec<String>, Option<u64>>;

    /// Lets the document that has this id expire at second `expires` since 1970, unless it expires later anyway, or never.
    /// Answers `None` if there is none that has not expired at second `now`.
    fn touch<'a>(&'a self, id: &'a str, expires: u32, now: u32) -> Changed<'a, Option<Touched>>;

    /// Removes expired documents again and again, if nothing else does.
    fn sweep(&self) -> Option<Pin<Box<dyn Future<Output = ()> + Send>>>;
}

/// The answer to the one change that `submit` hands over.
///
/// # Errors
/// [`SeenError::Busy`] if the change was given back, and the error of the answer.
pub async fn decided<'a, C, T: Send + 'static>(
    submit: impl FnOnce(Then<T>) -> Submitted<'a, C, T>,
) -> Result<Decided<T>, SeenError> {
    let (sender, receiver) = oneshot::channel();
    let mut sender = Some(sender);
    let then = move |mut answers: Answers<T>| {
        if let (Some(sender), Some(answer)) = (sender.take(), answers.pop()) {
            drop(sender.send(answer));
        }
    };
    if submit(Box::new(then)).await.is_err() {
        return Err(SeenError::Busy);
    }
    receiver.await.unwrap_or(Err(SeenError::Closed))
}
