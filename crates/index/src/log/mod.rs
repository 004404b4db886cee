//! The log: all documents, in the order in which they were added, and their removals.
//!
//! The log is one sequence of bytes over several files, and a *place* is a byte of it. Its files are journals of frames. A frame is what was
//! committed at one time. It starts with the number of the first document that it adds, and [records](record) follow.
//!
//! Not for: finding documents. That is for `runs`.

pub(crate) mod record;
mod stored;
pub(crate) mod texts;

pub(crate) use stored::{GUESS_BYTES, StoredDocument};

use crate::disk::files::FileKind;
use crate::disk::manifest::LogEntry;
use crate::error::{Error, as_damage};
use lookalike_store::{Error as StoreError, Journal};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of a frame before its records: the number of the first document.
pub(crate) const FRAME_HEAD_BYTES: usize = 8;

/// The files of the log, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct LogFiles(Vec<Arc<LogFile>>);

/// A file of the log.
#[derive(Debug)]
pub(crate) struct LogFile {
    pub(crate) journal: Journal,
    /// The place of its first byte in the whole log.
    pub(crate) start: u64,
    /// The bytes that were written to it.
    written: AtomicU64,
}

impl LogFile {
    pub(crate) fn new(journal: Journal, start: u64, written: u64) -> Self {
        LogFile { journal, start, written: AtomicU64::new(written) }
    }

    /// Takes note that the file has this length now.
    pub(crate) fn grow(&self, written: u64) {
        self.written.store(written, Ordering::Release);
    }

    pub(crate) fn written(&self) -> u64 {
        self.written.load(Ordering::Acquire)
    }
}

impl LogFiles {
    /// Opens the files that a manifest names.
    pub(crate) fn open(folder: &Path, owner: u64, entries: &[LogEntry]) -> Result<Self, Error> {
        let mut files = Vec::with_capacity(entries.len());
        for (index, entry) in entries.iter().enumerate() {
            let path = folder.join(FileKind::Log.name(entry.number));
            let journal = Journal::open(&path, FileKind::Log.kind(), owner).map_err(as_damage)?;
            let length = journal.length()?;
            let may_be_longer = index + 1 == entries.len();
            if length < entry.bytes || length > entry.bytes && !may_be_longer {
                let (at, what) = (length.min(entry.bytes), "it has not the length that the index says");
                return Err(StoreError::Damaged { path, at, what }.into());
            }
            if !journal.ends_with(entry.end())? {
                return Err(journal.damaged(entry.bytes, "it is not the file that the index says").into());
            }
            files.push(Arc::new(LogFile::new(journal, entry.start, entry.bytes)));
        }
        Ok(LogFiles(files))
    }

    pub(crate) fn files(&self) -> &[Arc<LogFile>] {
        &self.0
    }

    /// Adds the file that follows the last one.
    pub(crate) fn push(&mut self, file: Arc<LogFile>) {
        self.0.push(file);
    }

    /// Takes the last file away.
    pub(crate) fn pop(&mut self) -> Option<Arc<LogFile>> {
        self.0.pop()
    }

    /// The file that has this place, and the byte of the file.
    fn file_at(&self, place: u64) -> Option<(&LogFile, u64)> {
        let file = self.0.get(self.0.partition_point(|file| file.start <= place).checked_sub(1)?)?;
        Some((file, place - file.start))
    }

    /// Tells the system that `bytes` from this place on will be read soon.
    pub(crate) fn expect(&self, place: u64, bytes: u64) {
        if let Some((file, at)) = self.file_at(place) {
            file.journal.expect(at..at + bytes);
        }
    }
}
