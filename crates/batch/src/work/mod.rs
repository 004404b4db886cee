//! What a run puts on disk when memory does not suffice, and goes on from if it is stopped.
//!
//! A folder beside the output. It is made when something must go to disk for the first time, and removed when the outputs have
//! their names. In between it holds what the finished parts of the run have found, in checked files ([`lookalike_store`]): the same
//! command finds it, and does only what is not done yet.

mod budget;
mod description;
mod folder;

pub(crate) use budget::Budget;
pub(crate) use description::Description;
pub(crate) use folder::Folder;

use crate::error::Error;
use crate::job::Job;
use crate::progress::Monitor;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Where a run may put things, and how much it may hold.
pub(crate) struct Work {
    pub(crate) budget: Budget,
    /// Where it may put things, and what tells that they are its own.
    place: Option<(PathBuf, Description)>,
    folder: OnceLock<Folder>,
    making: Mutex<()>,
}

impl Work {
    /// For what holds everything.
    pub(crate) fn in_memory() -> Self {
        let (folder, making) = (OnceLock::new(), Mutex::default());
        Work { budget: Budget::unlimited(), place: None, folder, making }
    }

    /// For the run that is so described, and whose main output is `output`. Goes on from the folder that an earlier one left, if it is of the same
    /// run; if it is of another, says what is different, and removes it.
    pub(crate) fn new(
        job: &Job,
        description: Description,
        output: Option<&Path>,
        monitor: &Monitor,
    ) -> Result<Self, Error> {
        let budget = Budget::new(job.memory, job.threads)?;
        let place = description.place(job.temp_dir.as_deref(), output)?;
        let folder = OnceLock::new();
        if let Some(found) = Folder::find(&place, &description, monitor)? {
            let _ = folder.set(found);
        }
        Ok(Work { budget, place: Some((place, description)), folder, making: Mutex::default() })
    }

    /// Where the run puts things, if it does.
    pub(crate) fn folder(&self) -> Option<&Folder> {
        self.folder.get()
    }

    /// The same; from now on it does.
    pub(crate) fn begin(&self) -> Result<&Folder, Error> {
        let _making: MutexGuard<'_, ()> = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let (None, Some((place, description))) = (self.folder.get(), &self.place) {
            let _ = self.folder.set(Folder::create(place, description)?);
        }
        Ok(self.folder.get().expect("what holds everything puts nothing on disk"))
    }

    /// Refuses to go on if what is still to be written does not fit on the disk.
    pub(crate) fn check_disk(&self, folder: &Folder, needed: u64) -> Result<(), Error> {
        match folder.free() {
            Some(free) if free < needed => {
                Err(Error::DiskTooSmall { folder: folder.path().to_owned(), needed, free })
            }
            _ => Ok(()),
        }
    }

    /// The error of a run that stops here: it says where the same command will go on from.
    pub(crate) fn stopped(&self, error: Error) -> Error {
        match self.folder.get() {
            Some(folder) => Error::Stopped { source: Box::new(error), folder: folder.path().to_owned() },
            None => error,
        }
    }

    /// Removes what was put on disk: it is not needed any more.
    pub(crate) fn finish(self) {
        if let Some(folder) = self.folder.into_inner() {
            folder.remove();
        }
    }
}
