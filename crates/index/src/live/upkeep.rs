//! Work on the files of an index while it is read and written. One thread does it at a time.

use super::SharedIndex;
use super::pack::Others;
use super::reader::IndexReader;
use crate::disk::files::FileKind;
use crate::disk::manifest::{FileEntry, Manifest, RunEntry};
use crate::disk::new_files::NewFiles;
use crate::error::Error;
use crate::index::Index;
use crate::info::{IndexInfo, Verify};
use crate::keys::runs::{KeyRun, merge};
use crate::life::dropped_at;
use crate::progress::Progress;
use std::ops::{ControlFlow, Range};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The right to replace files of an index, which one thread has at a time.
#[derive(Debug, Default)]
pub(super) struct Upkeep(Mutex<IsClosed>);

/// Whether the writer is closed, and another process may replace files.
type IsClosed = bool;

impl Upkeep {
    /// Waits for the right.
    fn wait(&self) -> Result<MutexGuard<'_, IsClosed>, Error> {
        let right = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if *right { Err(Error::Closed) } else { Ok(right) }
    }

    /// Takes the right, if no other thread has it.
    pub(super) fn try_take(&self) -> Option<MutexGuard<'_, IsClosed>> {
        self.0.try_lock().ok().filter(|is_closed| !**is_closed)
    }

    /// Waits until no thread has the right. None gets it again.
    pub(super) fn close(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
    }
}

/// Stops when the caller wants to stop, or when the writer is closed.
struct UntilClosed<'a> {
    shared: &'a SharedIndex,
    progress: &'a dyn Progress,
}

impl Progress for UntilClosed<'_> {
    fn advance(&self, done: u64) -> ControlFlow<()> {
        match self.shared.progressed.is_closing() {
            true => ControlFlow::Break(()),
            false => self.progress.advance(done),
        }
    }
}

impl SharedIndex {
    /// A copy of the manifest that has `numbers` numbers of files for itself.
    pub(super) fn reserve(&self, numbers: u64) -> Manifest {
        let mut manifest = self.manifest();
        let copy = manifest.clone();
        manifest.next_file += numbers;
        copy
    }

    /// Makes one run of these runs.
    pub(super) fn merge(&self, range: Range<usize>, progress: &dyn Progress) -> Result<(), Error> {
        let state = self.state();
        let number = self.reserve(1).next_file;
        let mut files = NewFiles::default();
        let path = files.add(self.path(FileKind::Run, number));
        let runs = &state.runs[range.clone()];
        let lives = state.lives_of_runs(runs, dropped_at(self.now()))?;
        let summary = merge(&path, self.owner, runs, &lives, progress)?;
        let run = Arc::new(KeyRun::open(&path, self.owner, &state.tables)?);
        {
            let mut manifest = self.manifest();
            let mut next = manifest.clone();
            let file = FileEntry { number, bytes: summary.bytes, digest: summary.digest };
            next.runs.splice(range.clone(), [RunEntry { file, documents: run.documents() }]);
            next.dropped = lives.dropped().max(next.dropped);
            self.publish(&mut manifest, next, files)?;
        }
        self.change_state(|state| {
            state.runs.splice(range, [run]);
            state.dropped = lives.dropped().max(state.dropped);
        });
        Ok(())
    }
}

impl IndexReader {
    /// Makes one run of all runs, on this thread, while others read and write. It is second `now` since 1970: keys of documents that have
    /// expired an hour before are dropped, and those of removed ones. `progress` counts entries. Newer documents are in a memtable or in runs
    /// of their own afterwards.
    ///
    /// # Errors
    /// [`Error::Store`] if a file cannot be read or written, [`Error::Interrupted`], and [`Error::Closed`] if the writer is closed.
    pub fn merge_all(&self, now: u32, progress: &dyn Progress) -> Result<(), Error> {
        let shared = &*self.0;
        shared.tell_clock(now);
        let _right = shared.upkeep.wait()?;
        // Others only add runs behind these.
        let runs = shared.state().runs.len();
        if runs == 0 {
            return Ok(());
        }
        shared.merge(0..runs, &UntilClosed { shared, progress })
    }

    /// Rewrites, on this thread, the files of the log of which fewer than half of the documents are alive at second `now` since 1970, and those
    /// with documents that were [purged](super::IndexWriter::purge). The thread in the background does the same from time to time. The file that
    /// grows, and files with documents that are in no run yet, stay as they are. `progress` counts nothing, and is only asked whether
    /// to go on.
    ///
    /// # Errors
    /// As [`IndexReader::merge_all`].
    pub fn pack(&self, now: u32, progress: &dyn Progress) -> Result<(), Error> {
        let shared = &*self.0;
        shared.tell_clock(now);
        let _right = shared.upkeep.wait()?;
        shared.pack(Others::Pack, u64::MAX, &UntilClosed { shared, progress })
    }

    /// The number of documents that were [purged](super::IndexWriter::purge) and whose text is still on the disk.
    pub fn purging(&self) -> usize {
        self.0.all_purging().len()
    }

    /// Checks every byte of the index on the disk, as a process does that opens it now, and summarises it. Others read and write meanwhile.
    /// `progress` counts files of the log and runs.
    ///
    /// # Errors
    /// [`Error`] if damage is found, and [`Error::Interrupted`].
    pub fn verify(&self, progress: &dyn Progress) -> Result<IndexInfo, Error> {
        Index::open(&self.0.folder)?.info(Verify::Everything, progress)
    }
}
