//! The memory budget of a run, and its folder on disk.
//!
//! The folder is beside the output. It is made when memory is used up for the first time, and removed when the outputs have their names. It
//! holds the results of the finished parts of the run, in checked files ([`lookalike_store`]). If the run is stopped, the same command
//! finds the folder and does only the rest.
//!
//! # How a run resumes
//!
//! **Resuming.** The command names the work folder. Every file in it carries the hash of a `RunDescription`: plan,
//! options, version, and the names and stamps of all inputs. Standard input, pipes and texts in memory have no stamp. A
//! run that reads one of them never resumes.
//!
//! - Logs continue after their last whole record. They hold chunks of the first and second scan, and rounds of
//!   comparison (`rounds`).
//! - Columns get their names only when they are complete.
//! - A damaged file is reported, and its part of the work is done again.
//! - Decisions and outputs are made anew. They are a small part of the work.

mod budget;
mod description;
mod folder;
mod limits;
pub mod memory;
mod platform;
pub mod rounds;

pub use budget::{Budget, Footprint, MOST_PAIRS, too_many_pairs};
pub(crate) use budget::{exact_always_fits, exact_bytes, least_memory};
pub use description::RunContext;
use description::RunDescription;
pub use folder::{Folder, RunLog, behind};
pub use limits::{MemoryLimit, default_memory, memory_limit};

use crate::error::Error;
use crate::progress::Monitor;
use lookalike_corpus::Inputs;
use platform::free_bytes;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Bytes of memory for a chunk, without its documents (measured): its documents' numbers, the place of its record, and its id while chunks
/// are put in order. Most runs have few chunks, but each file with several documents has at least one.
const CHUNK_BYTES: u64 = 104;

/// The bytes of memory that inputs take before they are read.
fn held_of(inputs: &Inputs, description: &RunDescription) -> u64 {
    let files = inputs.files().iter().filter(|file| !file.format.is_one_document());
    inputs.memory() + description.bytes() + CHUNK_BYTES * files.count() as u64
}

/// The budget of a run whose inputs take `held` bytes, without the memory for record batches of Arrow and for long windows of Zstandard.
fn budget_of(run_context: &RunContext<'_>, held: u64) -> Result<Budget, Error> {
    let (memory, threads) = (run_context.memory, run_context.threads);
    let (budget, inputs) = (Budget::new(memory, threads, held)?, run_context.inputs);
    let batches = inputs.batch_memory();
    let Some((windows, name)) = inputs.long_windows(threads) else { return Ok(budget.without(batches)) };
    let budget = Budget::new(memory, threads, held + windows).map_err(|error| match error {
        Error::TooLittleMemory { memory, least, .. } => {
            Error::LongWindows { name: name.to_owned(), windows, memory, least }
        }
        error => error,
    })?;
    Ok(budget.without(batches))
}

/// The memory budget of a run, and its folder if it has one.
pub struct Work {
    /// The memory budget.
    pub budget: Budget,
    /// The description by which the run recognises its folder. `None` if it has none.
    description: Option<RunDescription>,
    folder: OnceLock<Folder>,
    making: Mutex<()>,
}

impl Work {
    /// For a run that holds everything in memory.
    pub fn in_memory() -> Self {
        let (folder, making) = (OnceLock::new(), Mutex::default());
        Work { budget: Budget::unlimited(), description: None, folder, making }
    }

    /// For this run. If an earlier run with the same description left a folder, the run goes on from it. A folder of another run is removed,
    /// and the difference is reported. A run never goes on if one of its inputs is a pipe or in memory, because that input may have changed.
    pub fn new(run_context: &RunContext<'_>, monitor: &Monitor) -> Result<Self, Error> {
        let description = RunDescription::new(run_context);
        let budget = budget_of(run_context, held_of(run_context.inputs, &description))?;
        let folder = OnceLock::new();
        if let Some(found) = Folder::find(&description, monitor)? {
            let _ = folder.set(found);
        }
        Ok(Work { budget, description: Some(description), folder, making: Mutex::default() })
    }

    /// The folder, if the run has one.
    pub fn folder(&self) -> Option<&Folder> {
        self.folder.get()
    }

    /// The folder, which is made if the run has none.
    pub fn begin(&self) -> Result<&Folder, Error> {
        let _making: MutexGuard<'_, ()> = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let (None, Some(description)) = (self.folder.get(), &self.description) {
            let _ = self.folder.set(Folder::create(description)?);
        }
        Ok(self.folder.get().expect("a run in memory has no folder"))
    }

    /// Refuses to go on if `needed` bytes, which will be written, do not fit on the disk.
    pub(crate) fn check_disk(&self, needed: u64) -> Result<(), Error> {
        let folder = self.description.as_ref().and_then(|description| description.folder().parent());
        let Some(folder) = folder else { return Ok(()) };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        match free_bytes(folder) {
            Some(free) if free < needed => {
                Err(Error::DiskTooSmall { folder: folder.to_owned(), needed, free })
            }
            _ => Ok(()),
        }
    }

    /// Removes the folder.
    pub fn remove(self) {
        if let Some(folder) = self.folder.into_inner() {
            folder.remove();
        }
    }

    /// Ends a run that failed. The folder is removed, unless the same command can go on from it.
    pub fn fail(self, error: &Error, monitor: &Monitor) {
        let lasts = self.description.as_ref().is_some_and(RunDescription::lasts);
        match self.folder.get() {
            Some(folder) if lasts && error.leaves_work() => {
                let path = folder.path().display();
                monitor.note(&format!("the same command will go on from {path}; to start over, remove it"));
            }
            _ => self.remove(),
        }
    }
}
