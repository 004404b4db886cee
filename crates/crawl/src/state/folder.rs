//! The state folder, and the lock on it.

use crate::error::Error;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// The journal of the crawl.
const JOURNAL: &str = "crawl.journal";

/// The file that the process at work has locked.
const LOCK: &str = "crawl.lock";

/// The path of the journal.
pub(super) fn journal_path(folder: &Path) -> PathBuf {
    folder.join(JOURNAL)
}

/// The right to crawl into a folder. It ends when this is dropped.
#[derive(Debug)]
pub(super) struct CrawlLock {
    _file: File,
}

/// Makes the folder if there is none, and locks it. Other parts of the audit keep files in it too, so only a folder without a crawl must be
/// empty.
pub(super) fn lock(folder: &Path) -> Result<CrawlLock, Error> {
    let write = |path: &Path| {
        let path = path.to_owned();
        move |source| lookalike_store::Error::Write { path, source }
    };
    fs::create_dir_all(folder).map_err(write(folder))?;
    if !journal_path(folder).exists() {
        check_empty(folder)?;
    }
    let path = folder.join(LOCK);
    let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(write(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(CrawlLock { _file: file }),
        Err(TryLockError::WouldBlock) => Err(Error::Busy { folder: folder.to_owned() }),
        Err(TryLockError::Error(source)) => Err(write(&path)(source).into()),
    }
}

/// Waits until the names in a folder are on the disk.
#[cfg(unix)]
pub(super) fn sync(folder: &Path) -> Result<(), Error> {
    let write = |source| lookalike_store::Error::Write { path: folder.to_owned(), source };
    Ok(File::open(folder).and_then(|folder| folder.sync_all()).map_err(write)?)
}

/// Other systems do not sync folders.
#[cfg(not(unix))]
pub(super) fn sync(_: &Path) -> Result<(), Error> {
    Ok(())
}

fn check_empty(folder: &Path) -> Result<(), Error> {
    let read = |source| lookalike_store::Error::Read { path: folder.to_owned(), source };
    for entry in fs::read_dir(folder).map_err(read)? {
        let name = entry.map_err(read)?.file_name().to_string_lossy().into_owned();
        if name != LOCK {
            return Err(Error::FolderNotEmpty { folder: folder.to_owned(), name });
        }
    }
    Ok(())
}
