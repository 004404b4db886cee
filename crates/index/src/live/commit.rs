//! What is written to the disk at one time.

use super::SharedIndex;
use super::keeper::{Progressed, SealedMemtable};
use super::open_log::OpenLog;
use crate::disk::manifest::CoveredLog;
use crate::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

/// Documents and removals that a [`IndexWriter`](super::IndexWriter) has decided, and that are not on the disk yet.
///
/// Finishing it takes the time of a disk. Another thread may do that while the writer decides the next commit. Commits are finished in
/// their order.
#[derive(Debug)]
#[must_use = "nothing is on the disk before a commit is finished"]
pub struct Commit {
    pub(super) shared: Arc<SharedIndex>,
    pub(super) log: Arc<Mutex<OpenLog>>,
    pub(super) frame: Vec<u8>,
    /// The sequence number of its first record.
    pub(super) first_sequence: u64,
    /// The part of the log that ends with it. Its place and checksum are not known yet.
    pub(super) covered: CoveredLog,
    /// The documents that it removes, and the sequence number of each removal.
    pub(super) removed: Vec<(u64, u64)>,
    /// The removed documents whose texts are to be gone.
    pub(super) purged: Vec<u64>,
    /// The documents that it lets expire later, the second of each, and the sequence number of each extension.
    pub(super) extended: Vec<(u64, u32, u64)>,
    /// The latest second at which a document was added.
    pub(super) time: u32,
    /// The last payload in it, or before it.
    pub(super) payload: Option<Vec<u8>>,
    /// The memtable that is full with it, if one is.
    pub(super) full: Option<Full>,
}

/// A full memtable on its way to the thread in the background.
#[derive(Debug)]
pub(super) struct Full {
    pub(super) sealed: SealedMemtable,
    pub(super) sender: Sender<SealedMemtable>,
    pub(super) progressed: Arc<Progressed>,
    /// The sequence number up to which that thread has the links.
    pub(super) sequence: Arc<AtomicU64>,
}

impl Full {
    /// Sends it. `covered` ends with it.
    pub(super) fn send(self, covered: CoveredLog) {
        self.sequence.store(covered.sequence, Ordering::Release);
        self.progressed.waiting.fetch_add(self.sealed.weight(), Ordering::Relaxed);
        // The thread ends only after the writer. If it has failed, the log still has everything.
        let _ = self.sender.send(SealedMemtable { covered, ..self.sealed });
    }
}

impl Commit {
    /// The number of documents in the index when it is finished.
    pub fn documents(&self) -> u64 {
        self.covered.documents
    }

    /// The number of changes in it.
    pub fn changes(&self) -> u64 {
        self.covered.sequence - self.first_sequence
    }

    /// The sequence number of the record that follows it.
    pub fn next_sequence(&self) -> u64 {
        self.covered.sequence
    }

    /// Writes it to the disk, and waits until it is there. Readers see it from then on.
    ///
    /// # Errors
    /// [`Error::Store`] if it cannot be written. Nothing of it is part of the index then, and later commits fail too:
    /// see [`IndexWriter::roll_back`](super::IndexWriter::roll_back). If the disk failed twice, so that the frame could not be cut off either, it may be found after
    /// a restart. [`Error::NotInOrder`] if the commit before was not finished.
    pub fn finish(self) -> Result<(), Error> {
        let Commit {
            shared,
            log,
            frame,
            first_sequence,
            mut covered,
            removed,
            purged,
            extended,
            time,
            payload,
            full,
        } = self;
        let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
        if log.durable.sequence != first_sequence {
            return Err(Error::NotInOrder);
        }
        shared.check()?;
        let end = log.write(first_sequence, &frame)?;
        (covered.place, covered.chain) = (log.file.start + end.at, end.chain);
        (log.durable, log.payload) = (covered, payload);
        log.file.grow(end.at);
        // Held from before the removals: who takes a snapshot meanwhile waits, and no file that was rewritten without a removed document is in a
        // snapshot from before its removal.
        let mut durable = shared.durable.write().unwrap_or_else(PoisonError::into_inner);
        let state = shared.state();
        removed.into_iter().for_each(|(number, sequence)| state.removed.insert(number, Some(sequence)));
        shared.add_purging(purged);
        for (number, second, sequence) in extended {
            state.extended.extend(number, second, Some(sequence));
        }
        shared.tell_time(time);
        *durable = covered;
        drop(durable);
        if let Some(full) = full {
            full.send(covered);
        }
        Ok(())
    }
}
