//! Opens the files that a manifest names.

use super::files::FileKind;
use super::manifest::{FileEntry, RunEntry};
use crate::error::{Error, as_damage};
use crate::keys::runs::KeyRun;
use crate::keys::tables::Tables;
use lookalike::DocumentFrequencies;
use lookalike_store::{Error as StoreError, Log};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Opens the files that a manifest names, and refuses other files with these names.
pub(crate) struct NamedFiles<'a> {
    pub(crate) folder: &'a Path,
    /// The id of the plan.
    pub(crate) owner: u64,
}

impl NamedFiles<'_> {
    pub(crate) fn path(&self, kind: FileKind, number: u64) -> PathBuf {
        self.folder.join(kind.name(number))
    }

    pub(crate) fn log(&self, kind: FileKind, entry: FileEntry) -> Result<Log, Error> {
        let path = self.path(kind, entry.number);
        let log = Log::open(&path, kind.kind(), Some(self.owner)).map_err(as_damage)?;
        check_file(path, entry, log.length(), log.digest())?;
        Ok(log)
    }

    /// A log of one record.
    pub(crate) fn record(&self, kind: FileKind, entry: FileEntry) -> Result<Log, Error> {
        let log = self.log(kind, entry)?;
        if log.len() != 1 {
            let (path, what) = (self.path(kind, entry.number), "it has not one record");
            return Err(StoreError::Damaged { path, at: 0, what }.into());
        }
        Ok(log)
    }

    /// Document frequencies.
    pub(crate) fn frequencies(&self, entry: FileEntry) -> Result<Arc<DocumentFrequencies>, Error> {
        let log = self.record(FileKind::Frequencies, entry)?;
        let table = DocumentFrequencies::from_bytes(log.record(0).bytes(0)?);
        let path = || self.path(FileKind::Frequencies, entry.number);
        Ok(Arc::new(table.map_err(|_| StoreError::Damaged {
            path: path(),
            at: 0,
            what: "it is no table of document frequencies",
        })?))
    }

    pub(crate) fn run(&self, entry: RunEntry, tables: &Tables) -> Result<KeyRun, Error> {
        let path = self.path(FileKind::Run, entry.file.number);
        let run = KeyRun::open(&path, self.owner, tables)?;
        check_file(path, entry.file, run.file().length(), run.file().digest())?;
        Ok(run)
    }
}

/// Checks that a file is the one that the manifest names.
pub(crate) fn check_file(path: PathBuf, entry: FileEntry, bytes: u64, digest: u64) -> Result<(), Error> {
    let what = match bytes == entry.bytes {
        false => "it has not the length that the index says",
        true if digest != entry.digest => "it is not the file that the index says",
        true => return Ok(()),
    };
    Err(StoreError::Damaged { path, at: bytes.min(entry.bytes), what }.into())
}
