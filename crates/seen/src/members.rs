//! The members of a cluster, and how similar they are.

use super::Seen;
use super::check::has_expired;
use super::error::SeenError;
use super::stored::StoredDocument;
use lookalike::Score;
use lookalike_index::Clusters;
use lookalike_index::Error as IndexError;
use lookalike_index::live::Snapshot;

impl Seen {
    /// The clusters that are on the disk now.
    pub fn clusters(&self) -> Clusters {
        self.shared.clusters.read().clone()
    }

    /// The documents of the cluster of the document with this number, ascending. Some of them may have been removed, or have expired. A document
    /// that was removed, or expired an hour ago, may be alone.
    pub fn cluster(&self, number: u64) -> Vec<u64> {
        self.shared.clusters.read().members(number)
    }

    /// What `snapshot` has of the document with this number, or `None` if it was removed, or has expired at second `now` since 1970.
    ///
    /// # Errors
    /// [`SeenError::Index`] if the index is damaged.
    pub fn member(
        &self,
        snapshot: &Snapshot,
        number: u64,
        now: u32,
    ) -> Result<Option<StoredDocument>, SeenError> {
        if number >= snapshot.documents() || snapshot.is_removed(number) {
            return Ok(None);
        }
        let document = match snapshot.document(number) {
            // It has expired, and its file of the log was rewritten.
            Err(IndexError::Gone { .. }) => return Ok(None),
            document => document?,
        };
        let is_there = !has_expired(document.expires(), now);
        Ok(is_there.then(|| StoredDocument::of(&document)))
    }

    /// The score of the document with number `to` and each of `others`.
    ///
    /// # Errors
    /// [`SeenError::Index`] if the index is damaged.
    pub fn scores(&self, snapshot: &Snapshot, to: u64, others: &[u64]) -> Result<Vec<Score>, SeenError> {
        let read = |number| match snapshot.document(number) {
            // It was purged, and its file of the log was rewritten.
            Err(IndexError::Gone { .. }) => Ok(None),
            document => Ok::<_, SeenError>(Some(document?)),
        };
        let mut scorer = self.shared.checker.scorer(read(to)?.as_ref())?;
        others.iter().map(|&other| scorer.score(read(other)?.as_ref())).collect()
    }
}
