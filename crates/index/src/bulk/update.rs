//! New documents that are on the disk, and become part of the index with its next manifest.

use crate::disk::files::{FileKind, MANIFEST_FILE};
use crate::disk::lock::{IndexLock, unmark};
use crate::disk::manifest::Manifest;
use crate::disk::new_files::NewFiles;
use crate::disk::platform::sync_folder;
use crate::error::Error;
use crate::index::Index;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// New documents that are on the disk, and not part of the index yet. If it is dropped, its files are removed.
#[derive(Debug)]
#[must_use = "new documents are not part of the index until they are published"]
pub struct Update {
    // Removed before the lock, which may remove the folder.
    files: NewFiles,
    /// Held until the update is published or dropped, unless the caller holds it.
    _lock: Option<IndexLock>,
    index: Arc<Index>,
    manifest: Manifest,
}

/// A manifest that is on the disk under a temporary name. Renaming it to its final name makes the new documents part of the index.
#[derive(Clone, Debug)]
pub struct WrittenManifest {
    /// The path that it has now.
    pub part: PathBuf,
    /// The path that it must get.
    pub path: PathBuf,
}

impl Update {
    pub(crate) fn new(
        index: Arc<Index>,
        lock: Option<IndexLock>,
        manifest: Manifest,
        files: NewFiles,
    ) -> Self {
        let manifest = Manifest { lookalike: env!("CARGO_PKG_VERSION").to_owned(), ..manifest };
        Update { files, _lock: lock, index, manifest }
    }

    /// The number of documents that the index will have.
    pub fn documents(&self) -> u64 {
        self.manifest.covered.documents
    }

    /// Writes the manifest that names the new documents too.
    ///
    /// For callers that rename it together with files of their own, and then call [`Update::keep`]. Others call [`Update::publish`].
    ///
    /// # Errors
    /// [`Error::Store`] if it cannot be written.
    pub fn write_manifest(&self) -> Result<WrittenManifest, Error> {
        let part = self.manifest.write(&self.index.folder, self.index.plan().id().0)?;
        Ok(WrittenManifest { part, path: self.index.folder.join(MANIFEST_FILE) })
    }

    /// Keeps the files of the new documents, which the manifest names now, and removes those that it names no more.
    pub fn keep(mut self) {
        let path = |(number, kind): (u64, FileKind)| self.index.folder.join(kind.name(number));
        let named: Vec<PathBuf> = self.manifest.files().map(path).collect();
        let before = self.index.manifest.files().map(path);
        self.files.replace(before, &named);
        unmark(&self.index.folder);
    }

    /// Makes the new documents part of the index, all of them at once.
    ///
    /// The index that is open has them no sooner than it is opened again.
    ///
    /// # Errors
    /// [`Error::Store`] if a file cannot be written or renamed. The index is then as it was before, unless only the last step failed, which
    /// waits until the new name is on the disk.
    pub fn publish(mut self) -> Result<(), Error> {
        let WrittenManifest { part, path } = self.write_manifest()?;
        let write = |source| lookalike_store::Error::Write { path: path.clone(), source };
        fs::rename(part, &path).map_err(write)?;
        // Before files of the manifest before are removed: a power cut may bring it back.
        let synced = sync_folder(&self.index.folder).map_err(write);
        // The manifest names the files from here on, also if the folder cannot be synced.
        match synced {
            Ok(()) => {
                self.keep();
                Ok(())
            }
            Err(error) => {
                std::mem::take(&mut self.files).keep();
                Err(error.into())
            }
        }
    }
}
