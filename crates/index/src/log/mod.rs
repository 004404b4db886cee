//! The log: all documents, in the order in which they were added, and their removals.
//!
//! The log is one sequence of bytes over several files, and a *place* is a byte of it. Its files are journals of frames. A frame is what was
//! committed at one time. It starts with the number of the first document that it adds, and [records](record) follow. A file with many dead
//! documents is replaced by a [packed](packed) one.
//!
//! Not for: finding documents. That is for `runs`.

pub(crate) mod packed;
pub(crate) mod record;
mod stored;
pub(crate) mod texts;

pub(crate) use stored::{GUESS_BYTES, LoggedDocument};

use crate::disk::files::FileKind;
use crate::disk::manifest::{LogContent, LogEntry};
use crate::disk::named::{NamedFiles, check_file};
use crate::error::{Error, as_damage};
use lookalike_store::Journal;
use packed::PackedLog;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of a frame before its records: the number of the first document.
pub(crate) const FRAME_HEAD_BYTES: usize = 8;

/// The files of the log, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct LogFiles(Vec<LogPart>);

/// A file of the log, or what is left of it.
#[derive(Clone, Debug)]
pub(crate) enum LogPart {
    /// A file of frames, with everything that was written.
    Frames(Arc<LogFile>),
    /// A file without the documents that are dead.
    Packed(Arc<PackedLog>),
    /// Nothing: all documents from this place on, up to the next file, are dead.
    Nothing(u64),
}

/// A file of frames.
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

    /// Opens the file that `entry` names. The last file of the log may be longer than the entry says.
    fn open(path: &Path, owner: u64, entry: &LogEntry, may_be_longer: bool) -> Result<Self, Error> {
        // Another process may append to the last file, and cut it behind the bytes that the manifest knows.
        let journal = match may_be_longer {
            true => Journal::open_growing(path, FileKind::Log.kind(), owner, entry.bytes),
            false => Journal::open(path, FileKind::Log.kind(), owner),
        };
        let journal = journal.map_err(as_damage)?;
        let length = journal.length()?;
        if length < entry.bytes || length > entry.bytes && !may_be_longer {
            let (at, what) = (length.min(entry.bytes), "it has not the length that the index says");
            return Err(journal.damaged(at, what).into());
        }
        if !journal.ends_with(entry.end())? {
            return Err(journal.damaged(entry.bytes, "it is not the file that the index says").into());
        }
        Ok(LogFile::new(journal, entry.start, entry.bytes))
    }
}

impl LogPart {
    /// The place of its first byte in the whole log.
    pub(crate) fn start(&self) -> u64 {
        match self {
            LogPart::Frames(file) => file.start,
            LogPart::Packed(packed) => packed.start(),
            LogPart::Nothing(start) => *start,
        }
    }

    /// The file of frames, if it is one.
    pub(crate) fn frames(&self) -> Option<&Arc<LogFile>> {
        match self {
            LogPart::Frames(file) => Some(file),
            LogPart::Packed(_) | LogPart::Nothing(_) => None,
        }
    }
}

impl LogFiles {
    /// Opens the files that a manifest names.
    pub(crate) fn open(files: &NamedFiles<'_>, entries: &[LogEntry]) -> Result<Self, Error> {
        let mut parts = Vec::with_capacity(entries.len());
        for (index, entry) in entries.iter().enumerate() {
            parts.push(match entry.content {
                LogContent::Frames => {
                    let path = files.path(FileKind::Log, entry.number);
                    let may_be_longer = index + 1 == entries.len();
                    LogPart::Frames(Arc::new(LogFile::open(&path, files.owner, entry, may_be_longer)?))
                }
                LogContent::Packed(file) => {
                    let path = files.path(FileKind::Packed, file.number);
                    let packed = PackedLog::open(&path, files.owner, entry.start)?;
                    check_file(path, file, packed.file().length(), packed.file().digest())?;
                    LogPart::Packed(Arc::new(packed))
                }
                LogContent::Nothing => LogPart::Nothing(entry.start),
            });
        }
        Ok(LogFiles(parts))
    }

    pub(crate) fn parts(&self) -> &[LogPart] {
        &self.0
    }

    /// Adds the file that follows the last one.
    pub(crate) fn push(&mut self, file: Arc<LogFile>) {
        self.0.push(LogPart::Frames(file));
    }

    /// Takes the last file away, if it is one of frames.
    pub(crate) fn pop(&mut self) -> Option<Arc<LogFile>> {
        let last = self.0.pop_if(|part| part.frames().is_some())?;
        last.frames().cloned()
    }

    /// Puts `part` in the place of the one that starts at the same place.
    pub(crate) fn replace(&mut self, part: LogPart) {
        if let Some(old) = self.0.iter_mut().find(|old| old.start() == part.start()) {
            *old = part;
        }
    }

    /// The file that has this place.
    fn part_at(&self, place: u64) -> Option<&LogPart> {
        self.0.get(self.0.partition_point(|part| part.start() <= place).checked_sub(1)?)
    }

    /// Tells the system that `bytes` from this place on will be read soon.
    pub(crate) fn expect(&self, place: u64, bytes: u64) {
        match self.part_at(place) {
            Some(LogPart::Frames(file)) => {
                let at = place - file.start;
                file.journal.expect(at..at + bytes);
            }
            Some(LogPart::Packed(packed)) => {
                // Damage is reported when it is read.
                if let Ok(Some(at)) = packed.find(place) {
                    packed.file().expect(at..at + bytes as usize);
                }
            }
            Some(LogPart::Nothing(_)) | None => {}
        }
    }
}
