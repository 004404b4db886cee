//! One at a time writes to an index, and cleans up behind those that did not come to their end.

use super::format::{LOCK_FILE, MANIFEST_FILE, MANIFEST_PART, SegmentFile};
use super::make_folder;
use super::manifest::Manifest;
use crate::error::Error;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// The right to write to an index, as long as it lives.
#[derive(Debug)]
pub(super) struct Lock {
    folder: PathBuf,
    _file: File,
    /// Was the folder made for it?
    is_new: bool,
}

impl Lock {
    /// Of the index in `folder`.
    pub(super) fn of(folder: &Path) -> Result<Self, Error> {
        Self::with(folder, false)
    }

    /// Tries whether anything can be written there, too: that is to be told before the work.
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
            Err(TryLockError::WouldBlock) => Err(Error::IndexBusy { folder: folder.to_owned() }),
            Err(TryLockError::Error(source)) => Err(write(source).into()),
        }
    }

    /// Of an index that is to be made in `folder`, where nothing may be but what a run left that was to make one, too.
    pub(super) fn of_new(folder: &Path) -> Result<Self, Error> {
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
            // It was to become an index, and did not. What cannot be removed is left, and the next run removes it.
            let _ = fs::remove_file(self.folder.join(LOCK_FILE));
            if self.is_new {
                let _ = fs::remove_dir(&self.folder);
            }
        }
    }
}

/// Removes the files of an update that did not come to its end: whatever `manifest` does not name.
pub(super) fn remove_leftovers(folder: &Path, manifest: &Manifest) -> Result<(), Error> {
    remove(folder, |number| manifest.segments.iter().any(|segment| segment.number == number))
}

fn remove(folder: &Path, is_named: impl Fn(u64) -> bool) -> Result<(), Error> {
    for name in names(folder)? {
        let is_left = match SegmentFile::of_name(&name) {
            Some((number, _)) => !is_named(number),
            None => name == MANIFEST_PART,
        };
        if is_left {
            let path = folder.join(name);
            fs::remove_file(&path).map_err(|source| lookalike_store::Error::Write { path, source })?;
        }
    }
    Ok(())
}

/// Is this the name of a file that an index may have?
fn is_own(name: &str) -> bool {
    [LOCK_FILE, MANIFEST_PART].contains(&name) || SegmentFile::of_name(name).is_some()
}

/// What is in a folder, sorted.
fn names(folder: &Path) -> Result<Vec<String>, Error> {
    let read = |source| lookalike_store::Error::Read { path: folder.to_owned(), source };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(read)? {
        names.push(entry.map_err(read)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}
