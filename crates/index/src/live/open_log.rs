//! The file of the log that grows.

use super::Shared;
use crate::bulk::update::NewFiles;
use crate::disk::files::FileKind;
use crate::disk::manifest::{Covered, LogContent, LogEntry};
use crate::error::Error;
use crate::log::LogFile;
use lookalike_store::{Journal, JournalEnd, JournalWriter};
use std::path::Path;
use std::sync::Arc;

/// The file of the log that grows.
#[derive(Debug)]
pub(super) struct OpenLog {
    pub(super) journal: JournalWriter,
    pub(super) file: Arc<LogFile>,
    /// The part of the log that is on the disk.
    pub(super) durable: Covered,
    /// The last payload in it.
    pub(super) payload: Option<Vec<u8>>,
}

impl Shared {
    /// Opens the last file of the log again, to append behind `end`.
    pub(super) fn resume_log(
        &self,
        file: Arc<LogFile>,
        end: JournalEnd,
        durable: Covered,
        payload: Option<Vec<u8>>,
    ) -> Result<OpenLog, Error> {
        let (path, start) = (file.journal.path().to_owned(), file.start);
        // A mapped file may not become shorter.
        drop(file);
        let journal = JournalWriter::resume(&path, FileKind::Log.kind(), self.owner, end)?;
        let file = self.open_file(&journal, &path, start)?;
        self.change_state(|state| state.log.push(Arc::clone(&file)));
        Ok(OpenLog { journal, file, durable, payload })
    }

    /// Starts the next file of the log.
    pub(super) fn start_log(&self, durable: Covered, payload: Option<Vec<u8>>) -> Result<OpenLog, Error> {
        let mut manifest = self.manifest();
        let mut next = manifest.clone();
        let number = next.take_number();
        let path = self.path(FileKind::Log, number);
        let mut files = NewFiles::default();
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
        self.change_state(|state| state.log.push(Arc::clone(&file)));
        Ok(OpenLog { journal, file, durable, payload })
    }

    /// Opens the file of `journal` to be read.
    fn open_file(&self, journal: &JournalWriter, path: &Path, start: u64) -> Result<Arc<LogFile>, Error> {
        let reader = Journal::open_growing(path, FileKind::Log.kind(), self.owner)?;
        Ok(Arc::new(LogFile::new(reader, start, journal.end().at)))
    }
}
