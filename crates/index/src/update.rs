//! New documents that are on the disk, and become part of the index with its next manifest.

use crate::error::Error;
use crate::format::MANIFEST_FILE;
use crate::index::Index;
use crate::manifest::{Manifest, SegmentEntry};
use crate::platform::sync_folder;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// New documents that are on the disk, and not part of the index yet. If it is dropped, its files are removed.
#[derive(Debug)]
#[must_use = "new documents are not part of the index until they are published"]
pub struct Update {
    // Removed before the index, which may remove its folder.
    files: NewFiles,
    index: Arc<Index>,
    /// `None` if there are no new documents.
    segment: Option<SegmentEntry>,
}

/// Files that are removed on drop, unless they are kept.
#[derive(Debug, Default)]
pub(crate) struct NewFiles(pub(crate) Vec<PathBuf>);

impl Drop for NewFiles {
    fn drop(&mut self) {
        for path in &self.0 {
            // A file that cannot be removed now is removed when the index is opened to be added to.
            let _ = fs::remove_file(path);
        }
    }
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
    pub(crate) fn new(index: Arc<Index>, segment: Option<SegmentEntry>, files: NewFiles) -> Self {
        Update { files, index, segment }
    }

    /// The number of documents that the index will have.
    pub fn documents(&self) -> u64 {
        self.index.documents() + self.segment.as_ref().map_or(0, |segment| segment.documents)
    }

    /// Writes the manifest that names the new documents too.
    ///
    /// For callers that rename it together with files of their own, and then call [`Update::keep`]. Others call [`Update::publish`].
    ///
    /// # Errors
    /// [`Error::Store`] if it cannot be written.
    pub fn write_manifest(&self) -> Result<WrittenManifest, Error> {
        let before = &self.index.manifest;
        let mut manifest = Manifest { lookalike: env!("CARGO_PKG_VERSION").to_owned(), ..before.clone() };
        manifest.documents = self.documents();
        manifest.segments.extend(self.segment.clone());
        let part = manifest.write(&self.index.folder, &self.index.plan)?;
        Ok(WrittenManifest { part, path: self.index.folder.join(MANIFEST_FILE) })
    }

    /// Keeps the files of the new documents: the manifest names them now.
    pub fn keep(mut self) {
        self.files.0.clear();
    }

    /// Makes the new documents part of the index, all of them at once.
    ///
    /// The index that is open has them no sooner than it is opened again.
    ///
    /// # Errors
    /// [`Error::Store`] if a file cannot be written or renamed. The index is then as it was before, unless only the last step failed, which
    /// waits until the new name is on the disk.
    pub fn publish(self) -> Result<(), Error> {
        let WrittenManifest { part, path } = self.write_manifest()?;
        let write = |source| lookalike_store::Error::Write { path: path.clone(), source };
        fs::rename(part, &path).map_err(write)?;
        let folder = self.index.folder.clone();
        // The manifest names the files from here on, also if the folder cannot be synced.
        self.keep();
        Ok(sync_folder(&folder).map_err(write)?)
    }
}
