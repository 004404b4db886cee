//! Folders that are created for outputs, and removed if there are no outputs.

use std::{
    fs, io, mem,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use super::paths::file_above;
use crate::{Error, remote::is_remote};

/// Folders that a run has created. When the value is dropped, the empty ones are removed.
#[derive(Debug, Default)]
pub(super) struct NewFolders(Mutex<Vec<PathBuf>>);

impl NewFolders {
    /// Creates a folder for outputs, and its parents. Remote folders exist with the files in them.
    pub(super) fn make(&self, folder: &Path) -> Result<(), Error> {
        if is_remote(folder) {
            return Ok(());
        }
        self.make_here(folder).map_err(|source| Error::Write { path: folder.to_owned(), source })
    }

    fn make_here(&self, folder: &Path) -> io::Result<()> {
        let mut made = fs::create_dir(folder);
        let above = folder.parent().filter(|above| !above.as_os_str().is_empty());
        if let (Err(io::ErrorKind::NotFound), Some(above)) = (made.as_ref().map_err(io::Error::kind), above) {
            self.make_here(above)?;
            made = fs::create_dir(folder);
        }
        match made {
            Ok(()) => {
                self.0.lock().unwrap_or_else(PoisonError::into_inner).push(folder.to_owned());
                Ok(())
            }
            // It already existed, or another worker was faster.
            Err(_) if folder.is_dir() => Ok(()),
            Err(error) => Err(file_above(folder).unwrap_or(error)),
        }
    }

    pub(super) fn join(&mut self, mut others: NewFolders) {
        self.list().append(others.list());
    }

    /// Keeps all folders, even empty ones.
    pub(super) fn keep(mut self) {
        self.list().clear();
    }

    /// Takes the folders created so far out of this value.
    pub(super) fn take(&mut self) -> NewFolders {
        mem::take(self)
    }

    fn list(&mut self) -> &mut Vec<PathBuf> {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for NewFolders {
    fn drop(&mut self) {
        for folder in mem::take(self.list()).iter().rev() {
            // A folder that is not empty is in use, and stays.
            let _ = fs::remove_dir(folder);
        }
    }
}
