//! The file of the log that grows.

use super::SharedIndex;
use crate::disk::checkpoint::Checkpoint;
use crate::disk::files::FileKind;
use crate::disk::manifest::{CoveredLog, LogContent, LogEntry};
use crate::disk::new_files::NewFiles;
use crate::error::Error;
use crate::log::LogFile;
use lookalike_store::{Error as StoreError, Journal, JournalEnd, JournalWriter};
use std::path::Path;
use std::sync::Arc;

/// The file of the log that grows.
#[derive(Debug)]
pub(super) struct OpenLog {
    pub(super) journal: JournalWriter,
    pub(super) file: Arc<LogFile>,
    /// The part of the log that is on the disk.
    pub(super) durable: CoveredLog,
    /// The last payload in it.
    pub(super) payload: Option<Vec<u8>>,
    /// Whether a frame could not be written in a way that leaves the file as it was. The next frame goes to another file, if there can be one.
    pub(super) is_failed: bool,
    #[cfg(test)]
    pub(super) fails: Fails,
}

/// What a test lets fail.
#[cfg(test)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fails {
    /// Waiting for the disk.
    pub(super) sync: bool,
    /// Cutting off what was not synced.
    pub(super) cut: bool,
}

impl OpenLog {
    fn new(
        journal: JournalWriter,
        file: Arc<LogFile>,
        durable: CoveredLog,
        payload: Option<Vec<u8>>,
    ) -> Self {
        OpenLog {
            journal,
            file,
            durable,
            payload,
            is_failed: false,
            #[cfg(test)]
            fails: Fails::default(),
        }
    }

    /// Appends a frame, and waits until it is on the disk. Returns the end of the file.
    ///
    /// If the disk fails while this waits, it is unknown whether it has the frame. The frame is then cut off, so that it does not come back.
    pub(super) fn write(&mut self, first_sequence: u64, frame: &[u8]) -> Result<JournalEnd, Error> {
        if self.is_failed {
            let refused =
                std::io::Error::other("an earlier frame failed, and no other file could be started");
            let path = self.file.journal.path().to_owned();
            return Err(StoreError::Write { path, source: refused }.into());
        }
        // An append that fails leaves the file as it was, or refuses the sync.
        let appended = self.journal.append(first_sequence, frame).map(drop);
        let is_full = appended.is_err() && self.sync().is_ok();
        match appended.and_then(|()| self.sync()) {
            Ok(()) => Ok(self.journal.end()),
            Err(error) => {
                if !is_full {
                    self.is_failed = true;
                    // If it fails, the frame may be found after a restart.
                    let _ = self.cut_back();
                }
                Err(error.into())
            }
        }
    }

    fn sync(&mut self) -> Result<(), StoreError> {
        #[cfg(test)]
        if self.fails.sync {
            let (path, source) = (self.file.journal.path().to_owned(), std::io::Error::other("a test"));
            return Err(StoreError::Write { path, source });
        }
        self.journal.sync()
    }

    /// Cuts off what is not known to be on the disk.
    fn cut_back(&mut self) -> Result<JournalEnd, StoreError> {
        #[cfg(test)]
        if self.fails.cut {
            let (path, source) = (self.file.journal.path().to_owned(), std::io::Error::other("a test"));
            return Err(StoreError::Write { path, source });
        }
        self.journal.cut_back()
    }

    /// After a failure, goes on in another file. What failed is cut off before, so that the file that follows starts where it ends.
    pub(super) fn mend(&mut self, shared: &SharedIndex) -> Result<(), Error> {
        if self.is_failed {
            self.cut_back()?;
            let next = shared.start_log(self.durable, self.payload.clone())?;
            *self = next;
        }
        Ok(())
    }
}

impl SharedIndex {
    /// Opens the last file of the log again, to append behind `end`.
    pub(super) fn resume_log(
        &self,
        file: Arc<LogFile>,
        end: JournalEnd,
        durable: CoveredLog,
        payload: Option<Vec<u8>>,
    ) -> Result<OpenLog, Error> {
        let (path, start) = (file.journal.path().to_owned(), file.start);
        // A mapped file may not become shorter.
        drop(file);
        let journal = JournalWriter::resume(&path, FileKind::Log.kind(), self.owner, end)?;
        let file = self.open_file(&journal, &path, start)?;
        self.change_state(|state| state.log.push(Arc::clone(&file)));
        Ok(OpenLog::new(journal, file, durable, payload))
    }

    /// Starts the next file of the log.
    pub(super) fn start_log(&self, durable: CoveredLog, payload: Option<Vec<u8>>) -> Result<OpenLog, Error> {
        let mut manifest = self.manifest();
        let mut next = manifest.clone();
        let number = next.take_number();
        let path = self.path(FileKind::Log, number);
        // A file without a frame has no end that another could follow. The new one takes its place.
        let is_empty = next.log.last().is_some_and(|last| durable.place <= last.start);
        if is_empty {
            next.log.pop();
        }
        let mut files = NewFiles::default();
        let (folder, owner) = (&self.folder, self.owner);
        Checkpoint { folder, owner, manifest: &mut next, files: &mut files }
            .add_frequencies(&self.state().weights)?;
        files.add(path.clone());
        if let Some(last) = next.log.last_mut() {
            (last.bytes, last.chain) = (durable.place - last.start, durable.chain);
        }
        let mut journal = JournalWriter::create(&path, FileKind::Log.kind(), self.owner, durable.chain)?;
        journal.sync()?;
        let (start, end) = (durable.place, journal.end());
        let first = durable.documents;
        next.log.push(LogEntry {
            number,
            start,
            bytes: end.at,
            chain: end.chain,
            first,
            content: LogContent::Frames,
        });
        // All that may fail comes before the manifest names the file.
        let file = self.open_file(&journal, &path, start)?;
        self.publish(&mut manifest, next, files)?;
        self.change_state(|state| {
            // The file before is complete now.
            let before = state.log.pop().filter(|_| !is_empty);
            if let Some(before) = before {
                state.log.push(mapped(before, self.owner));
            }
            state.log.push(Arc::clone(&file));
        });
        Ok(OpenLog::new(journal, file, durable, payload))
    }

    /// Opens the file of `journal` to be read.
    fn open_file(&self, journal: &JournalWriter, path: &Path, start: u64) -> Result<Arc<LogFile>, Error> {
        let reader = Journal::open_growing(path, FileKind::Log.kind(), self.owner, journal.durable())?;
        Ok(Arc::new(LogFile::new(reader, start, journal.end().at)))
    }
}

/// The same file, mapped as a whole: it does not grow any more. If it cannot be opened again, it stays as it is.
fn mapped(file: Arc<LogFile>, owner: u64) -> Arc<LogFile> {
    let journal = Journal::open(file.journal.path(), FileKind::Log.kind(), owner);
    journal.map_or(Arc::clone(&file), |journal| Arc::new(LogFile::new(journal, file.start, file.written())))
}
