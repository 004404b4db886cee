//! Writes documents that another index has, in their order.

use crate::error::SeenError;
use lookalike_index::NewDocument;
use lookalike_index::live::{IndexReader, IndexWriter};
use std::time::Duration;

/// The time until a writer whose background work is behind is asked again.
const BEHIND: Duration = Duration::from_millis(20);

/// Links that are written to the disk together: a megabyte.
const FRAME_LINKS: usize = 1 << 15;

/// Writes documents that another index has, in their order.
#[derive(Debug)]
pub(crate) struct CopyWriter {
    writer: IndexWriter,
    reader: IndexReader,
}

impl CopyWriter {
    /// Writes to an index that was opened to be added to.
    ///
    /// # Errors
    /// [`SeenError::Index`] if it cannot be written to.
    pub(crate) fn new(index: lookalike_index::Index) -> Result<Self, SeenError> {
        let (writer, reader) = index.into_live()?;
        Ok(CopyWriter { writer, reader })
    }

    /// Adds a document, and returns its number.
    ///
    /// # Errors
    /// [`SeenError::Index`] if it cannot be written.
    pub(crate) fn add(&mut self, document: &NewDocument<'_>) -> Result<u64, SeenError> {
        while self.reader.is_behind() {
            std::thread::sleep(BEHIND);
        }
        if !self.writer.has_room(1) {
            self.commit()?;
        }
        let encoded = self.writer.encoder().encode(document);
        Ok(self.writer.add(&encoded, document.keys))
    }

    /// Adds links between documents, and closes the index. Returns the number of its documents.
    ///
    /// # Errors
    /// [`SeenError::Index`] if they cannot be written.
    pub(crate) fn finish(mut self, links: &[[u64; 2]]) -> Result<u64, SeenError> {
        for links in links.chunks(FRAME_LINKS) {
            links.iter().for_each(|&[first, member]| self.writer.link(first, member));
            self.commit()?;
        }
        let documents = self.writer.documents();
        self.commit()?;
        self.writer.close()?;
        Ok(documents)
    }

    fn commit(&mut self) -> Result<(), SeenError> {
        if let Some(commit) = self.writer.commit(None) {
            commit.finish()?;
            self.writer.roll_log()?;
        }
        Ok(())
    }
}
