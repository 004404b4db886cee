//! The lock of an index: one process at a time writes to it, and removes files that interrupted processes left.

use crate::disk::files::{FileKind, LOCK_FILE, MANIFEST_FILE, MANIFEST_PART};
use crate::disk::manifest::Manifest;
use crate::error::Error;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// The right to write to an index. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    folder: PathBuf,
    _file: File,
    /// Whether the folder was made together with the lock.
    is_new: bool,
}

impl Lock {
    /// Locks the index in `folder`.
    pub(crate) fn of(folder: &Path) -> Result<Self, Error> {
        Self::with(folder, false)
    }

    /// Locks the folder, and creates a file in it for a test: if that is impossible, the user learns it before the work.
    fn with(folder: &Path, is_new: bool) -> Result<Self, Error> {
        let path = folder.join(LOCK_FILE);
        let write = |source| lookalike_store::Error::Write { path: path.clone(), source };
        let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(write)?;
        match file.try_lock() {
            Ok(()) => {
                let lock = Lock { folder: folder.to_owned(), _file: file, is_new };
                let path = folder.join(MANIFEST_PART);
                let tried = File::create(&path).and_then(|_| fs::remove_file(&path));
                tried.map_err(|source| lookalike_store::Error::Write { path, source })?;
                Ok(lock)
            }
            Err(TryLockError::WouldBlock) => Err(Error::Busy { folder: folder.to_owned() }),
            Err(TryLockError::Error(source)) => Err(write(source).into()),
        }
    }

    /// Locks `folder`, where an index will be made. Only files of an interrupted process that was making one may be there.
    pub(crate) fn of_new(folder: &Path) -> Result<Self, Error> {
        let is_new = make_folder(folder)?;
        let names = names(folder)?;
        if names.iter().any(|name| name == MANIFEST_FILE) {
            return Err(Error::IndexExists { folder: folder.to_owned() });
        }
        if let Some(name) = names.into_iter().find(|name| !is_own(name)) {
            return Err(Error::FolderNotEmpty { folder: folder.to_owned(), name });
        }
        let lock = Self::with(folder, is_new)?;
        remove(folder, |_| false)?;
        Ok(lock)
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if !self.folder.join(MANIFEST_FILE).exists() {
            // The folder did not become an index. A file that cannot be removed now is removed by the next process.
            let _ = fs::remove_file(self.folder.join(LOCK_FILE));
            if self.is_new {
                let _ = fs::remove_dir(&self.folder);
            }
        }
    }
}

/// Removes the files of interrupted updates: all that `manifest` does not name.
pub(crate) fn remove_leftovers(folder: &Path, manifest: &Manifest) -> Result<(), Error> {
    remove(folder, |file| manifest.files().any(|named| named == file))
}

/// Removes new manifests, and all numbered files that are not `is_named`.
fn remove(folder: &Path, is_named: impl Fn((u64, FileKind)) -> bool) -> Result<(), Error> {
    for name in names(folder)? {
        let is_left = match FileKind::from_name(&name) {
            Some(file) => !is_named(file),
            None => name == MANIFEST_PART,
        };
        if is_left {
            let path = folder.join(name);
            fs::remove_file(&path).map_err(|source| lookalike_store::Error::Write { path, source })?;
        }
    }
    Ok(())
}

/// Whether a file of an index may have this name.
fn is_own(name: &str) -> bool {
    [LOCK_FILE, MANIFEST_PART].contains(&name) || FileKind::from_name(name).is_some()
}

/// The names of all files in a folder, sorted.
fn names(folder: &Path) -> Result<Vec<String>, Error> {
    let read = |source| lookalike_store::Error::Read { path: folder.to_owned(), source };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(read)? {
        names.push(entry.map_err(read)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// Makes the folder, if it does not exist. Returns whether it was made.
fn make_folder(folder: &Path) -> Result<bool, Error> {
    let is_new = !folder.is_dir();
    let write = |source| lookalike_store::Error::Write { path: folder.to_owned(), source };
    if is_new {
        fs::create_dir(folder).map_err(write)?;
    }
    Ok(is_new)
}
