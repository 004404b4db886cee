//! The documents that texts are compared with: in a folder, or in an index that other processes change too.

use crate::marks::DuplicateMark;
use lookalike_index::unix_seconds;
use lookalike_seen::{Added, DocumentName, NewText, Seen, SeenError, SeenIndex, StoredDocument, decided};
use std::pin::Pin;
use std::sync::Arc;

/// The index of the documents.
#[derive(Clone, Debug)]
pub(crate) struct DocumentIndex(Arc<dyn SeenIndex>);

impl DocumentIndex {
    pub(crate) fn new(index: impl SeenIndex + 'static) -> Self {
        DocumentIndex(Arc::new(index))
    }

    /// The index in a folder, to which only this process writes. `None` if others decide at the same time.
    pub(crate) fn folder(&self) -> Option<&Seen> {
        self.0.folder()
    }

    /// The number of the document with this id that has not expired, and is no mark.
    pub(crate) async fn number(&self, id: &str) -> Result<Option<u64>, SeenError> {
        Ok(self.find(id).await?.filter(is_document).map(|document| document.number))
    }

    /// The mark with this id, if there is one.
    pub(crate) async fn mark(&self, id: &str) -> Result<Option<DuplicateMark>, SeenError> {
        Ok(self.find(id).await?.and_then(|document| DuplicateMark::of_document(&document)))
    }

    async fn find(&self, id: &str) -> Result<Option<StoredDocument>, SeenError> {
        Ok(self.0.find(DocumentName::Id(id), false).await?.map(|(document, _)| document))
    }

    /// Adds a text, unless it is similar to a document.
    pub(crate) async fn add(&self, text: NewText) -> Result<Added, SeenError> {
        let text = self.0.prepare(vec![text], unix_seconds())?;
        Ok(decided(|then| self.0.submit_alone(text, then)).await?.answer)
    }

    /// Removes the document with this id.
    pub(crate) async fn remove(&self, id: &str) -> Result<(), SeenError> {
        decided(|then| self.0.remove(vec![id.to_owned()], then)).await.map(drop)
    }

    /// How many were ever added. 0 if the index does not answer.
    pub(crate) async fn count(&self) -> u64 {
        self.0.figures().await.map_or(0, |figures| figures.documents)
    }

    /// Removes expired documents again and again, if nothing else does.
    pub(crate) fn sweep(&self) -> Option<Pin<Box<dyn Future<Output = ()> + Send>>> {
        self.0.sweep()
    }
}

/// See [`DocumentIndex::number`].
pub(crate) fn folder_number(seen: &Seen, id: &str) -> Result<Option<u64>, SeenError> {
    let document = seen.snapshot().find(id)?.map(|document| StoredDocument::of(&document));
    Ok(document.filter(is_document).map(|document| document.number))
}

/// Whether a document has not expired, and is no mark.
fn is_document(document: &StoredDocument) -> bool {
    document.expires.is_none_or(|expires| expires > unix_seconds())
        && DuplicateMark::of_document(document).is_none()
}
