//! Documents whose text is to be gone, and documents that are to live longer.

use super::writer::IndexWriter;
use crate::error::Error;
use crate::log::record::{push_extension, push_purge};
use crate::state::Moment;

impl IndexWriter {
    /// Removes the document with this number, and asks for its text to be gone from the disk. That happens in the background, soon after the
    /// commit, and also after a kill: see [`IndexReader::purging`](super::IndexReader::purging). The last file of the log ends if it has to: see [`IndexWriter::is_log_long`].
    ///
    /// # Panics
    /// If there is no such document.
    pub fn purge(&mut self, number: u64) {
        assert!(number < self.documents(), "there is such a document");
        push_purge(number, &mut self.frame);
        self.removed.push((number, self.covered.sequence));
        self.purged.push(number);
        self.covered.sequence += 1;
        self.is_log_to_end |= self.shared.is_log_to_end_for(&[number]);
    }

    /// Lets the document with this number expire at this second, unless it expires later anyway. The caller has found that it is alive. Its clock may
    /// be behind by less than an hour: what is left of a document is dropped no sooner. For the same reason it is committed within an hour.
    ///
    /// # Errors
    /// [`Error::NoDocument`] if there is no such document, and [`Error::Store`] if a run is damaged.
    pub fn extend_expiry(&mut self, number: u64, second: u32) -> Result<(), Error> {
        let state = self.shared.state();
        if state.expiry(number, Moment::LATEST)? < second && !state.is_dead(number, Moment::LATEST)? {
            self.push_extension(number, second);
        }
        Ok(())
    }

    pub(super) fn push_extension(&mut self, number: u64, second: u32) {
        push_extension(number, second, &mut self.frame);
        self.extended.push((number, second, self.covered.sequence));
        self.covered.sequence += 1;
    }
}
