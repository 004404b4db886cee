//! What a run puts on disk when memory does not suffice, and goes on from if it is stopped.
//!
//! A folder beside the output. It is made when something must go to disk for the first time, and removed when the outputs have
//! their names. In between it holds what the finished parts of the run have found, in checked files ([`lookalike_store`]): the same
//! command finds it, and does only what is not done yet.

mod budget;
mod description;
mod folder;
pub mod memory;
mod platform;
pub mod rounds;

pub use budget::least_memory;
pub use budget::{Budget, Footprint, MOST_PAIRS, too_many_pairs};
use description::Description;
pub use description::RunContext;
pub use folder::{Folder, Part, behind};

use crate::error::Error;
use crate::progress::Monitor;
use lookalike_corpus::Inputs;
use platform::free_bytes;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// What is held of each chunk beside its documents (measured): where it stands, where its record is, and while chunks are put in order, its
/// id. Most runs have few chunks; but a file that is not one document has at least one.
const CHUNK_BYTES: u64 = 104;

/// How many bytes of memory inputs take that are not read yet.
fn held_of(inputs: &Inputs, description: &Description) -> u64 {
    let files = inputs.files().iter().filter(|file| !file.format.is_one_document());
    inputs.memory() + description.bytes() + CHUNK_BYTES * files.count() as u64
}

/// Where a run may put things, and how much it may hold.
pub struct Work {
    /// How much it may hold.
    pub budget: Budget,
    /// Where it may put things, and what tells that they are its own.
    place: Option<(PathBuf, Description)>,
    folder: OnceLock<Folder>,
    making: Mutex<()>,
}

impl Work {
    /// For what holds everything.
    pub fn in_memory() -> Self {
        let (folder, making) = (OnceLock::new(), Mutex::default());
        Work { budget: Budget::unlimited(), place: None, folder, making }
    }

    /// For a run that is asked for so. Goes on from the folder that an earlier one left, if it is of the same
    /// run; if it is of another, says what is different, and removes it.
    pub fn new(run_context: &RunContext<'_>, monitor: &Monitor) -> Result<Self, Error> {
        let description = Description::new(run_context);
        let budget =
            Budget::new(run_context.memory, run_context.threads, held_of(run_context.inputs, &description))?;
        let place = description.place(run_context.temp_dir, run_context.output)?;
        let folder = OnceLock::new();
        if let Some(found) = Folder::find(&place, &description, monitor)? {
            let _ = folder.set(found);
        }
        Ok(Work { budget, place: Some((place, description)), folder, making: Mutex::default() })
    }

    /// Where the run puts things, if it does.
    pub fn folder(&self) -> Option<&Folder> {
        self.folder.get()
    }

    /// The same; from now on it does.
    pub fn begin(&self) -> Result<&Folder, Error> {
        let _making: MutexGuard<'_, ()> = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let (None, Some((place, description))) = (self.folder.get(), &self.place) {
            let _ = self.folder.set(Folder::create(place, description)?);
        }
        Ok(self.folder.get().expect("what holds everything puts nothing on disk"))
    }

    /// Refuses to go on if what is still to be written, so many bytes, does not fit on the disk.
    pub fn check_disk(&self, needed: u64) -> Result<(), Error> {
        let Some(folder) = self.place.as_ref().and_then(|(place, _)| place.parent()) else { return Ok(()) };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        match free_bytes(folder) {
            Some(free) if free < needed => {
                Err(Error::DiskTooSmall { folder: folder.to_owned(), needed, free })
            }
            _ => Ok(()),
        }
    }

    /// Removes what was put on disk.
    pub fn remove(self) {
        if let Some(folder) = self.folder.into_inner() {
            folder.remove();
        }
    }

    /// Ends a run that failed: what was put on disk is removed, unless the same command can go on from there.
    pub fn fail(self, error: &Error, monitor: &Monitor) {
        let lasts = self.place.as_ref().is_some_and(|(_, description)| description.lasts());
        match self.folder.get() {
            Some(folder) if lasts && error.leaves_work() => {
                let path = folder.path().display();
                monitor.note(&format!("the same command will go on from {path}; to start over, remove it"));
            }
            _ => self.remove(),
        }
    }
}
