//! The documents that texts are compared with: in a folder, or in Redis.

use crate::marks::DuplicateMark;
use lookalike_index::unix_seconds;
use lookalike_seen::redis::RedisSeen;
use lookalike_seen::{IndexedDocument, Seen, SeenError};

/// Where the documents are.
#[derive(Clone, Debug)]
pub(crate) enum DocumentIndex {
    /// In a folder, to which only this process writes.
    Folder(Seen),
    /// In Redis, where several processes decide at the same time.
    Redis(RedisSeen),
}

impl DocumentIndex {
    /// The index, if it is in a folder.
    pub(crate) fn folder(&self) -> Option<&Seen> {
        match self {
            DocumentIndex::Folder(seen) => Some(seen),
            DocumentIndex::Redis(_) => None,
        }
    }

    /// The number of the document with this id that has not expired, and is no mark.
    pub(crate) async fn number(&self, id: &str) -> Result<Option<u64>, SeenError> {
        match self {
            DocumentIndex::Folder(seen) => folder_number(seen, id),
            DocumentIndex::Redis(seen) => redis_number(seen, id).await,
        }
    }

    /// Removes the document with this id.
    pub(crate) async fn remove(&self, id: &str) -> Result<(), SeenError> {
        match self {
            DocumentIndex::Folder(seen) => {
                let (seen, id) = (seen.clone(), id.to_owned());
                let removed = tokio::task::spawn_blocking(move || seen.remove(&id).wait()).await;
                removed.unwrap_or(Err(SeenError::Closed)).map(drop)
            }
            DocumentIndex::Redis(seen) => seen.remove(id).await.map(drop),
        }
    }

    /// How many were ever added. 0 if Redis does not answer.
    pub(crate) async fn count(&self) -> u64 {
        match self {
            DocumentIndex::Folder(seen) => seen.snapshot().documents(),
            DocumentIndex::Redis(seen) => seen.index().counts().await.map_or(0, |counts| counts.documents),
        }
    }
}

/// See [`DocumentIndex::number`].
pub(crate) fn folder_number(seen: &Seen, id: &str) -> Result<Option<u64>, SeenError> {
    let snapshot = seen.snapshot();
    Ok(snapshot.find(id)?.filter(is_document).map(|document| document.number()))
}

/// See [`DocumentIndex::number`].
pub(crate) async fn redis_number(seen: &RedisSeen, id: &str) -> Result<Option<u64>, SeenError> {
    Ok(seen.find(id).await?.filter(is_document).map(|document| document.number()))
}

/// Whether a document has not expired, and is no mark.
fn is_document(document: &impl IndexedDocument) -> bool {
    document.expires().is_none_or(|expires| expires > unix_seconds())
        && DuplicateMark::of_document(document).is_none()
}
