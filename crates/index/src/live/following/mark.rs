//! How far an index has come, and whether another one has come by there.

use crate::error::Error;
use crate::live::IndexReader;

/// How far an index has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexMark {
    /// The number of its changes.
    pub sequence: u64,
    /// The number of documents that were ever added.
    pub documents: u64,
    /// A hash of its last change. `None` if there is none, or if its log does not have it any more.
    pub last: Option<u64>,
}

impl IndexReader {
    /// How far the index has come.
    ///
    /// # Errors
    /// [`Error::Damaged`].
    pub fn mark(&self) -> Result<IndexMark, Error> {
        let snapshot = self.snapshot();
        let (sequence, documents) = (snapshot.sequence(), snapshot.documents());
        Ok(IndexMark { sequence, documents, last: self.hash_before(sequence)? })
    }

    /// Whether the index has come by `mark`: an index that has the mark is then a copy of an earlier state of this one. If the log of either does not
    /// have the last change any more, only the numbers are compared.
    ///
    /// # Errors
    /// [`Error::Damaged`].
    pub fn has_passed(&self, mark: &IndexMark) -> Result<bool, Error> {
        let snapshot = self.snapshot();
        if mark.sequence > snapshot.sequence() || mark.documents > snapshot.documents() {
            return Ok(false);
        }
        let own = self.hash_before(mark.sequence)?;
        Ok(own.zip(mark.last).is_none_or(|(own, last)| own == last))
    }

    /// A hash of the change before number `sequence`.
    fn hash_before(&self, sequence: u64) -> Result<Option<u64>, Error> {
        sequence.checked_sub(1).map_or(Ok(None), |before| self.hash_of_change(before))
    }
}
