//! A copy of an index in another folder, made while it is written.
//!
//! Files that are complete never change, so the copy gets hard links of them: that takes no time and no room. The file of the log that grows
//! is copied as far as it is on the disk. Where links are impossible, as on another file system, all files are copied.
//!
//! **Backups.** All files but the last one of the log never change once they have their names. A `backup` is therefore
//! a folder with hard links of them, a copy of the last file up to what is on the disk, and a manifest. The writer
//! waits only while the links are made.

use super::reader::IndexReader;
use crate::disk::files::{FileKind, MANIFEST_FILE};
use crate::disk::lock::{IndexLock, unmark};
use crate::disk::manifest::Manifest;
use crate::disk::new_files::NewFiles;
use crate::disk::platform::sync_folder;
use crate::error::Error;
use lookalike_store::Error as StoreError;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A backup that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexBackup {
    /// The number of changes that led to its contents: it equals the [snapshot](super::Snapshot::sequence) of this number.
    pub sequence: u64,
    /// The number of documents that were ever added.
    pub documents: u64,
    /// Files that are linked, and take no room of their own as long as the index has them too.
    pub linked: u64,
    /// Bytes of the files that were copied.
    pub copied: u64,
}

/// A file to be copied. It stays readable, also if the index removes it meanwhile.
struct OpenFile {
    from: File,
    to: PathBuf,
    /// The bytes that are copied, if it grows.
    bytes: u64,
}

impl IndexReader {
    /// Makes a copy of the index in `folder`, which must be new or empty. It has exactly the documents that a snapshot has now. Others read and
    /// write meanwhile: the writer waits only while links are made. The copy is an index: to restore it, open it, or copy it back.
    ///
    /// A text that is [purged](super::IndexWriter::purge) later stays in the copy. If this fails, or the process is killed, the folder is no
    /// index.
    ///
    /// # Errors
    /// [`Error::FolderNotEmpty`], [`Error::IndexExists`], [`Error::Closed`] if the writer is closed, and [`Error::Store`] if a file cannot be read or
    /// written.
    pub fn backup(&self, folder: &Path) -> Result<IndexBackup, Error> {
        self.backup_with(folder, true)
    }

    pub(super) fn backup_with(&self, folder: &Path, may_link: bool) -> Result<IndexBackup, Error> {
        if self.0.progressed.is_closing() {
            return Err(Error::Closed);
        }
        // Dropped after the files, as it may remove the folder.
        let _lock = IndexLock::of_new(folder)?;
        let mut files = NewFiles::default();
        let (manifest, mut backup, open) = self.link(folder, may_link, &mut files)?;
        for file in open {
            backup.copied += file.copy()?;
        }
        let part = manifest.write(folder, self.0.owner)?;
        let path = folder.join(MANIFEST_FILE);
        let write = |source| StoreError::Write { path: path.clone(), source };
        // The names of the files are on the disk before that of the manifest.
        sync_folder(folder).map_err(write)?;
        fs::rename(part, &path).map_err(write)?;
        files.keep();
        sync_folder(folder).map_err(write)?;
        unmark(folder);
        Ok(backup)
    }

    /// Links the files of the index that are complete, and opens the others. Returns the manifest that names them.
    fn link(
        &self,
        folder: &Path,
        may_link: bool,
        files: &mut NewFiles,
    ) -> Result<(Manifest, IndexBackup, Vec<OpenFile>), Error> {
        let shared = &*self.0;
        // No file that it names is removed while it is held, and no file of the log is added.
        let guard = shared.manifest();
        let durable = shared.durable();
        let mut manifest = guard.clone();
        manifest.extend_log(durable);
        let (sequence, documents, copied) = (durable.sequence, durable.documents, 0);
        let mut linked = 0;
        let growing = manifest.log.last().map(|last| ((last.number, FileKind::Log), last.bytes));
        let mut open = Vec::new();
        for file in manifest.files() {
            let (from, to) = (shared.path(file.1, file.0), folder.join(file.1.name(file.0)));
            let bytes = growing.filter(|(growing, _)| *growing == file).map(|(_, bytes)| bytes);
            if may_link && bytes.is_none() && fs::hard_link(&from, &to).is_ok() {
                files.add(to);
                linked += 1;
                continue;
            }
            let read = |source| StoreError::Read { path: from.clone(), source };
            let from = File::open(&from).map_err(read)?;
            open.push(OpenFile { from, to: files.add(to), bytes: bytes.unwrap_or(u64::MAX) });
        }
        drop(guard);
        Ok((manifest, IndexBackup { sequence, documents, linked, copied }, open))
    }
}

impl OpenFile {
    /// Copies it to the disk, and returns the number of bytes.
    fn copy(self) -> Result<u64, Error> {
        let OpenFile { from, to: path, bytes } = self;
        let copy = || {
            let mut to = File::create_new(&path)?;
            let copied = io::copy(&mut from.take(bytes), &mut to)?;
            to.sync_all()?;
            Ok(copied)
        };
        let copied: io::Result<u64> = copy();
        Ok(copied.map_err(|source| StoreError::Write { path: path.clone(), source })?)
    }
}
