//! When a memtable and a file of the log end.

use super::commit::Full;
use super::keeper::SealedMemtable;
use super::writer::IndexWriter;
use crate::disk::manifest::Manifest;
use crate::error::Error;
use crate::keys::memtable::{MEMTABLE_DOCUMENTS, Memtable};
use crate::state::IndexState;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

/// Seconds of a day. A file of the log has documents of one day only, if they expire.
const DAY_SECONDS: u32 = 86_400;

/// The day since 1970 that has this second.
pub(super) fn day_of(second: u32) -> u32 {
    second / DAY_SECONDS
}

/// The day of the first document in the last file of the log, if it expires.
pub(super) fn first_day(manifest: &Manifest, state: &IndexState) -> Option<u32> {
    let document = state.document(manifest.log.last()?.first).ok()?;
    document.expires().and(document.time()).map(day_of)
}

impl IndexWriter {
    /// Starts a new memtable, and returns the full one for the thread in the background.
    pub(super) fn replace_memtable(&mut self) -> Option<Full> {
        let tables = Arc::clone(&self.shared.state().tables);
        let next = Arc::new(Memtable::new(self.covered.documents, tables, MEMTABLE_DOCUMENTS));
        let memtable = std::mem::replace(&mut self.memtable, Arc::clone(&next));
        self.shared.change_state(|state| state.memtables.push(next));
        self.seal(memtable)
    }

    /// The newest documents for the thread in the background, also if there are none.
    fn seal_memtable(&mut self) -> Option<Full> {
        let range = self.memtable.range();
        match range.is_empty() {
            true => {
                self.seal(Arc::new(Memtable::new(range.start, Arc::clone(&self.shared.state().tables), 1)))
            }
            false => self.replace_memtable(),
        }
    }

    fn seal(&mut self, memtable: Arc<Memtable>) -> Option<Full> {
        let sealed = self.sealed.load(Ordering::Acquire);
        self.links.retain(|&(sequence, _)| sequence >= sealed);
        let links = self.links.iter().map(|&(_, link)| link).collect();
        let sealed = SealedMemtable { memtable, links, payload: self.payload.clone(), covered: self.covered };
        let (sender, progressed) = (self.keeper.sender.clone()?, Arc::clone(&self.shared.progressed));
        Some(Full { sealed, sender, progressed, sequence: Arc::clone(&self.sealed) })
    }

    /// Whether the last file of the log is to end, because it is long, or to be rewritten: see [`IndexWriter::roll_log`].
    pub fn is_log_long(&self) -> bool {
        self.is_log_to_end || self.is_new_day || self.covered.place - self.log_start >= self.sizes.log_file
    }

    /// Starts a new file of the log if the last one is [to end](IndexWriter::is_log_long). All commits must be finished, and the frame empty. Otherwise it does nothing.
    ///
    /// # Errors
    /// [`Error::Store`] if a file cannot be written.
    pub fn roll_log(&mut self) -> Result<(), Error> {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        // A frame that may be on the disk in part, or that was not synced, is no end of a file.
        let is_empty = log.durable.place <= log.file.start;
        let is_whole = is_empty || log.file.start + log.journal.end().at == log.durable.place;
        let is_quiet = is_whole && !log.is_failed && log.durable.sequence == self.covered.sequence;
        let is_to_end = self.is_log_to_end || self.is_new_day;
        if is_quiet && (is_to_end || log.journal.end().at >= self.sizes.log_file) {
            if !is_empty {
                *log = self.shared.start_log(log.durable, log.payload.clone())?;
            }
            self.covered.place = log.file.start + log.journal.end().at;
            self.log_start = log.file.start;
            (self.day, self.is_new_day) = (None, false);
            let covered = log.durable;
            drop(log);
            if std::mem::take(&mut self.is_log_to_end)
                && let Some(full) = self.seal_memtable()
            {
                // Only a file that runs cover is rewritten.
                full.send(covered);
            }
        }
        Ok(())
    }
}
