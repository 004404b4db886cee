//! Folders that are made for outputs, and go again if there are none.

use std::{
    fs, io, mem,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use crate::{Error, remote::is_remote};

/// Folders that a run has made. Dropped, those of them are removed that are empty.
#[derive(Debug, Default)]
pub(super) struct NewFolders(Mutex<Vec<PathBuf>>);

impl NewFolders {
    /// Makes a folder for outputs, and those above it. Behind a network folders come with the files in them.
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
            // It was there; or another worker was faster.
            Err(_) if folder.is_dir() => Ok(()),
            Err(error) => Err(error),
        }
    }

    pub(super) fn join(&mut self, mut others: NewFolders) {
        self.list().append(others.list());
    }

    /// They stay, whatever is in them.
    pub(super) fn keep(mut self) {
        self.list().clear();
    }

    /// Those that were made so far; there are none from now on.
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
            // One that is not empty is left to whoever has put something there.
            let _ = fs::remove_dir(folder);
        }
    }
}
