//! The lock of an index: one process at a time writes to it, and removes files that interrupted processes left.

use crate::disk::files::{FileKind, LOCK_FILE, MANIFEST_FILE, MANIFEST_PART, NEW_FILE};
use crate::disk::manifest::Manifest;
use crate::error::Error;
use lookalike_store::starts_as;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The right to write to an index. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct IndexLock {
    folder: PathBuf,
    _file: File,
    /// What an index that is dropped before it has a manifest leaves as it was.
    before: Before,
}

/// What a folder was when it was locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    /// It had an index.
    Index,
    /// It was empty, or had what an interrupted process left.
    Empty,
    /// There was no folder.
    Nothing,
}

impl IndexLock {
    /// Locks the index in `folder`.
    pub(crate) fn of(folder: &Path) -> Result<Self, Error> {
        Self::with(folder, Before::Index)
    }

    /// Locks the folder, and creates a file in it for a test: if that is impossible, the user learns it before the work.
    fn with(folder: &Path, before: Before) -> Result<Self, Error> {
        let path = folder.join(LOCK_FILE);
        let write = |source| lookalike_store::Error::Write { path: path.clone(), source };
        let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(write)?;
        match file.try_lock() {
            Ok(()) => {
                let lock = IndexLock { folder: folder.to_owned(), _file: file, before };
                let path = folder.join(MANIFEST_PART);
                let tried = File::create(&path).and_then(|_| fs::remove_file(&path));
                tried.map_err(|source| lookalike_store::Error::Write { path, source })?;
                Ok(lock)
            }
            Err(TryLockError::WouldBlock) => Err(Error::Busy { folder: folder.to_owned() }),
            Err(TryLockError::Error(source)) => Err(write(source).into()),
        }
    }

    /// Locks `folder`, where an index will be made. Only files of an interrupted process that was making one may be there. The folder is
    /// marked until [`unmark`] is called.
    pub(crate) fn of_new(folder: &Path) -> Result<Self, Error> {
        let before = make_folder(folder)?;
        check_new(folder)?;
        let lock = Self::with(folder, before)?;
        // Another process may have made an index before the lock was there.
        check_new(folder)?;
        let path = folder.join(NEW_FILE);
        fs::write(&path, MARK).map_err(|source| lookalike_store::Error::Write { path, source })?;
        remove(folder, |_| false)?;
        Ok(lock)
    }
}

/// The text of the file that marks a folder. It is for people.
const MARK: &str =
    "An index is being made in this folder. If no process is at work, nothing here is needed.\n";

/// Removes the mark of a folder in which an index was made, when the name of its manifest is on the disk.
pub(crate) fn unmark(folder: &Path) {
    // If this fails, the next process that adds to the index removes it.
    let _ = fs::remove_file(folder.join(NEW_FILE));
}

/// Why there is no index in `folder`, which has no manifest.
pub(crate) fn no_index(folder: &Path) -> Error {
    let names = names(folder).unwrap_or_default();
    let left = names.iter().find(|name| starts_as_own(folder, name).unwrap_or_default());
    match left.filter(|_| !is_marked(&names)) {
        Some(name) => Error::NoManifest { folder: folder.to_owned(), name: name.clone() },
        None => Error::NoIndex { folder: folder.to_owned() },
    }
}

/// Refuses a folder in which no index can be made: one that has an index, or files that no interrupted process left.
fn check_new(folder: &Path) -> Result<(), Error> {
    let names = names(folder)?;
    if names.iter().any(|name| name == MANIFEST_FILE) {
        return Err(Error::IndexExists { folder: folder.to_owned() });
    }
    if let error @ Error::NoManifest { .. } = no_index(folder) {
        return Err(error);
    }
    for name in names {
        if ![LOCK_FILE, MANIFEST_PART, NEW_FILE].contains(&&name[..]) && !starts_as_own(folder, &name)? {
            return Err(Error::FolderNotEmpty { folder: folder.to_owned(), name });
        }
    }
    Ok(())
}

/// Whether a file has the name and the first bytes of a numbered file of an index.
fn starts_as_own(folder: &Path, name: &str) -> Result<bool, Error> {
    let kind = FileKind::from_name(name).map(|(_, kind)| kind.kind());
    Ok(kind.map_or(Ok(false), |kind| starts_as(&folder.join(name), kind, None))?)
}

fn is_marked(names: &[String]) -> bool {
    names.iter().any(|name| name == NEW_FILE)
}

impl Drop for IndexLock {
    fn drop(&mut self) {
        if !self.folder.join(MANIFEST_FILE).exists() {
            // The folder did not become an index. A file that cannot be removed now is removed by the next process.
            let _ = fs::remove_file(self.folder.join(LOCK_FILE));
            if self.before != Before::Index && !has_numbered(&self.folder) {
                unmark(&self.folder);
            }
            if self.before == Before::Nothing {
                let _ = fs::remove_dir(&self.folder);
            }
        }
    }
}

/// Removes the files of interrupted updates: all that `manifest` does not name. Files of `owner`, the id of the plan, may be among them, and
/// no others.
pub(crate) fn remove_leftovers(folder: &Path, manifest: &Manifest, owner: u64) -> Result<(), Error> {
    let is_named = |file| manifest.files().any(|named| named == file);
    for name in names(folder)? {
        let Some(file) = FileKind::from_name(&name).filter(|&file| !is_named(file)) else { continue };
        if !starts_as(&folder.join(&name), file.1.kind(), Some(owner))? {
            return Err(Error::ForeignFile { folder: folder.to_owned(), name });
        }
    }
    remove(folder, is_named)?;
    unmark(folder);
    Ok(())
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

/// Whether a folder has numbered files.
fn has_numbered(folder: &Path) -> bool {
    names(folder).is_ok_and(|names| names.iter().any(|name| FileKind::from_name(name).is_some()))
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

/// Makes the folder, if it does not exist.
fn make_folder(folder: &Path) -> Result<Before, Error> {
    if folder.is_dir() {
        return Ok(Before::Empty);
    }
    match (fs::create_dir(folder), folder.parent()) {
        (Ok(()), _) => Ok(Before::Nothing),
        (Err(source), Some(parent)) if source.kind() == ErrorKind::NotFound && !parent.exists() => {
            Err(Error::NoParent { folder: folder.to_owned(), parent: parent.to_owned() })
        }
        (Err(source), _) => Err(lookalike_store::Error::Write { path: folder.to_owned(), source }.into()),
    }
}
