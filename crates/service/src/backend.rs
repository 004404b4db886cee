//! The index that the service answers from, for requests that ask it on a thread.
//!
//! An index in Redis is waited for on the thread that asks, so requests that read run on threads that may wait: see
//! [`Backend::waits`]. Changes are asynchronous in both.

use crate::clock::now;
use crate::problem::Problem;
use axum::http::StatusCode;
use futures_util::FutureExt;
use lookalike::{Plan, Score};
use lookalike_seen::{
    Answer, Checked, DocumentMatch, DocumentName, IndexFigures, NotReady, Seen, SeenError, SeenIndex,
    SketchedText, StoredDocument,
};
use std::sync::Arc;
use tokio::runtime::Handle;

/// The index, and the runtime that waits for its answers if they are not there at once.
#[derive(Clone, Debug)]
pub(crate) struct Backend {
    pub(crate) index: Arc<dyn SeenIndex>,
    /// `None` if the index is in a folder.
    runtime: Option<Handle>,
}

impl Backend {
    /// Call it in the runtime that is to wait for the answers of an index that is in no folder.
    pub(crate) fn new(index: impl SeenIndex + 'static) -> Self {
        let runtime = index.folder().is_none().then(Handle::current);
        Backend { index: Arc::new(index), runtime }
    }

    /// Whether reading waits for another process.
    pub(crate) fn waits(&self) -> bool {
        self.runtime.is_some()
    }

    /// Waits for the answer on this thread.
    fn wait<T>(&self, answer: Answer<'_, T>) -> Result<T, SeenError> {
        match &self.runtime {
            Some(runtime) => runtime.block_on(answer),
            None => answer.now_or_never().expect("an index in a folder answers at once"),
        }
    }

    /// The index in a folder, for work on its files.
    pub(crate) fn folder(&self) -> Result<&Seen, Problem> {
        self.index.folder().ok_or_else(|| {
            let detail = "the index is in Redis, which has no files of this service; use the tools of Redis";
            Problem::new(StatusCode::CONFLICT, "redis", detail)
        })
    }

    /// The plan by which texts are sketched and compared.
    pub(crate) fn plan(&self) -> &Plan {
        self.index.plan()
    }

    /// The sketch of `text`.
    pub(crate) fn sketch(&self, text: &str) -> SketchedText {
        self.index.sketch(text)
    }

    /// The documents that a text is similar to: see [`Seen::check`].
    pub(crate) fn check(&self, text: &SketchedText, threshold: f64) -> Result<Checked, SeenError> {
        self.wait(self.index.check(text, threshold, now()))
    }

    /// The candidate that is nearest to a text: see [`Seen::nearest`].
    pub(crate) fn nearest(
        &self,
        text: &SketchedText,
        except: Option<&str>,
    ) -> Result<Option<DocumentMatch>, SeenError> {
        self.wait(self.index.nearest(text, except, now()))
    }

    /// The document that has this name, and its text if that is asked for.
    pub(crate) fn document(
        &self,
        name: DocumentName<'_>,
        with_text: bool,
    ) -> Result<(StoredDocument, Option<String>), Problem> {
        living(name, self.wait(self.index.find(name, with_text))?)
    }

    /// The document that has this name, and its sketch.
    pub(crate) fn sketch_of(
        &self,
        name: DocumentName<'_>,
    ) -> Result<(StoredDocument, SketchedText), Problem> {
        living(name, self.wait(self.index.sketch_of(name))?)
    }

    /// Why no living document has this id.
    pub(crate) fn absence(&self, id: &str) -> Problem {
        // One that was added this moment was not there before.
        self.document(DocumentName::Id(id), false).err().unwrap_or_else(|| Problem::no_document(id))
    }

    /// The living members of the cluster of the document with this number, ascending.
    pub(crate) fn members(&self, number: u64) -> Result<Vec<StoredDocument>, SeenError> {
        self.wait(self.index.members(number, now()))
    }

    /// The score of the document with number `to` and each of `others`.
    pub(crate) fn scores(&self, to: u64, others: &[u64]) -> Result<Vec<Score>, SeenError> {
        self.wait(self.index.scores(to, others))
    }

    /// Its figures now.
    pub(crate) fn figures(&self) -> Result<IndexFigures, SeenError> {
        self.wait(self.index.figures())
    }

    /// What answers rest on, in a few words: `fdatasync`, or the setting of Redis.
    ///
    /// # Errors
    /// A [`Problem`] if the index cannot be changed safely now.
    pub(crate) fn durability(&self) -> Result<String, Problem> {
        let unready = |reason| {
            let (code, detail) = match reason {
                NotReady::NotWriting(detail) => ("not_writing", detail),
                NotReady::Gone(detail) => ("gone", detail),
                NotReady::Evicts(detail) => ("evicts", detail),
            };
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, code, detail)
        };
        self.wait(self.index.durability())?.map_err(unready)
    }
}

/// The document that was found by this name, if it has not expired.
fn living<T>(
    name: DocumentName<'_>,
    found: Option<(StoredDocument, T)>,
) -> Result<(StoredDocument, T), Problem> {
    let found = found.ok_or_else(|| match name {
        DocumentName::Id(id) => Problem::no_document(id),
        DocumentName::Url(url) => Problem::no_url(url),
    })?;
    match found.0.expires.is_some_and(|expires| expires <= now()) {
        true => Err(Problem::expired()),
        false => Ok(found),
    }
}
