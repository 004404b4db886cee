//! How far an index has come, and whether another one has come by there.

use crate::error::Error;
use crate::live::Snapshot;
use xxhash_rust::xxh3::xxh3_64;

/// How far an index has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The number of its changes.
    pub sequence: u64,
    /// The number of documents that were ever added.
    pub documents: u64,
    /// A hash of the last document, with its text and its number. `None` if nothing is left of it.
    pub last: Option<u64>,
}

impl Snapshot {
    /// How far the index has come.
    ///
    /// # Errors
    /// [`Error::Damaged`].
    pub fn mark(&self) -> Result<Mark, Error> {
        let (sequence, documents) = (self.sequence(), self.documents());
        Ok(Mark { sequence, documents, last: self.hash_of_last(documents)? })
    }

    /// Whether the index has come by `mark`, as far as it can be known: an index that has the mark is then a copy of an earlier state of this one. If
    /// the last document of either is gone from the disk, only the numbers are compared.
    ///
    /// # Errors
    /// [`Error::Damaged`].
    pub fn has_passed(&self, mark: &Mark) -> Result<bool, Error> {
        if mark.sequence > self.sequence() || mark.documents > self.documents() {
            return Ok(false);
        }
        let own = self.hash_of_last(mark.documents)?;
        Ok(own.zip(mark.last).is_none_or(|(own, last)| own == last))
    }

    /// A hash of the last of so many documents. `None` if there is none, or nothing is left of it.
    fn hash_of_last(&self, documents: u64) -> Result<Option<u64>, Error> {
        let Some(number) = documents.checked_sub(1) else { return Ok(None) };
        match self.state.document(number).map_err(Error::of_index) {
            Ok(document) => Ok(Some(xxh3_64(document.record()))),
            Err(Error::Gone { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
