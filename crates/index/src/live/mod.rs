//! An index that one process reads and writes at the same time.
//!
//! A [`IndexWriter`] adds and removes documents, one frame of the log after the other. [`IndexReader`]s look at [`Snapshot`]s. A thread in the background
//! makes runs of full memtables, and merges runs.
//!
//! What is committed is on the disk before [`Commit::finish`] returns, and readers see it from then on. After a kill, the next process
//! finds all that was committed, and nothing else.
//!
//! **Runs in the background.** New keys are in a `memtable`, which threads read without locks. The `keeper` makes a run
//! of a full one and merges runs by the rule of batches. It works on a copy of the manifest and publishes the result
//! with a rename. If it fails, it tries again every second. Additions are refused while four memtables wait. If a name
//! cannot be synced after a rename, the new manifest counts, and nothing is acknowledged any more.

mod backup;
mod commit;
mod dying;
mod ending;
mod following;
mod keeper;
mod open_log;
mod pack;
mod purging;
mod reader;
mod sizes;
mod training;
mod upkeep;
mod writer;

pub use backup::IndexBackup;
pub use commit::Commit;
pub use following::{ChangeReader, Changes, CopyItem, IndexMark, Items};
pub use reader::{Document, IndexReader, Snapshot, StoredCandidate};
#[doc(hidden)]
pub use sizes::IndexSizes;
pub use writer::IndexWriter;

use crate::disk::files::{FileKind, MANIFEST_FILE};
use crate::disk::lock::unmark;
use crate::disk::manifest::{CoveredLog, Manifest};
use crate::disk::new_files::NewFiles;
use crate::disk::platform::sync_folder;
use crate::encode::DocumentEncoder;
use crate::error::Error;
use crate::index::Index;
use crate::state::IndexState;
use keeper::Progressed;
use lookalike_store::Error as StoreError;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use upkeep::Upkeep;

/// What the writer, the readers and the thread in the background share.
#[derive(Debug)]
struct SharedIndex {
    folder: PathBuf,
    /// The id of the plan.
    owner: u64,
    state: RwLock<Arc<IndexState>>,
    /// The part of the log that is on the disk: readers see nothing else.
    durable: RwLock<CoveredLog>,
    /// The manifest that is on the disk, and the locks of what it names.
    manifest: Mutex<Manifest>,
    encoder: DocumentEncoder,
    /// The work in the background.
    progressed: Arc<Progressed>,
    /// The second since 1970, as far as it is known: the latest at which a document was added.
    now: AtomicU32,
    /// Removed documents whose text is to be gone from the disk, and is not yet.
    purging: Mutex<BTreeSet<u64>>,
    upkeep: Upkeep,
    /// Whether it is a copy that follows another index: it gets its dictionaries from there.
    follows: bool,
    /// Why nothing may be acknowledged any more: a name could not be written to the disk.
    failure: OnceLock<String>,
}

impl SharedIndex {
    fn state(&self) -> Arc<IndexState> {
        Arc::clone(&self.state.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the state by what `change` makes of it.
    fn change_state(&self, change: impl FnOnce(&mut IndexState)) {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        let mut next = IndexState::clone(&state);
        change(&mut next);
        *state = Arc::new(next);
    }

    fn manifest(&self) -> MutexGuard<'_, Manifest> {
        self.manifest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn durable(&self) -> CoveredLog {
        *self.durable.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> u32 {
        self.now.load(Ordering::Relaxed)
    }

    /// Takes note that it is second `now` since 1970, or later.
    fn tell_time(&self, now: u32) {
        self.now.fetch_max(now, Ordering::Relaxed);
    }

    /// Takes note that a clock says that it is second `now` since 1970. A copy that is behind may not know yet that a document lives on: it
    /// only knows the time of the documents that it has.
    fn tell_clock(&self, now: u32) {
        if !self.follows {
            self.tell_time(now);
        }
    }

    fn check(&self) -> Result<(), Error> {
        self.failure.get().map_or(Ok(()), |failure| Err(Error::Background { failure: failure.clone() }))
    }

    fn path(&self, kind: FileKind, number: u64) -> PathBuf {
        self.folder.join(kind.name(number))
    }

    /// Replaces the manifest on the disk by `next`, which names `files`, and removes the files that only the one before named.
    fn publish(&self, before: &mut Manifest, mut next: Manifest, files: NewFiles) -> Result<(), Error> {
        next.lookalike = env!("CARGO_PKG_VERSION").to_owned();
        let path = self.folder.join(MANIFEST_FILE);
        let part = next.write(&self.folder, self.owner)?;
        let write = |source| StoreError::Write { path: path.clone(), source };
        fs::rename(part, &path).map_err(write)?;
        files.keep();
        let after = next.clone();
        let replaced = std::mem::replace(before, next);
        // It has its name, so it is the manifest, whatever happens now. But a power cut may bring the one before back: nothing is acknowledged
        // from here on, and no file of the one before is removed.
        if let Err(error) = sync_folder(&self.folder).map_err(write) {
            self.failure.get_or_init(|| error.to_string());
            return Ok(());
        }
        unmark(&self.folder);
        let named: Vec<(u64, FileKind)> = after.files().collect();
        for (number, kind) in replaced.files().filter(|file| !named.contains(file)) {
            // A file that cannot be removed now is removed when the index is opened to be added to.
            let _ = fs::remove_file(self.path(kind, number));
        }
        Ok(())
    }
}

impl Index {
    /// The same index, whose [`IndexWriter`] starts new files, and whose clusters are compacted, at other sizes. Tests use it, so that few documents make
    /// many files.
    #[doc(hidden)]
    pub fn with_sizes(mut self, sizes: IndexSizes) -> Self {
        self.sizes = sizes;
        self
    }

    /// The same index, as a copy that follows another one: its [`IndexWriter`] [applies](IndexWriter::apply) the changes of that index, and makes no others.
    pub fn following(mut self) -> Self {
        self.follows = true;
        self
    }

    /// Turns an index that was opened to be added to into one that is read and written at the same time.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], and [`Error::Store`] if a file cannot be written.
    pub fn into_live(self) -> Result<(IndexWriter, IndexReader), Error> {
        IndexWriter::open(self)
    }
}

#[cfg(test)]
mod tests;
