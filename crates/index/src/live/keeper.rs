//! The thread in the background: it makes runs of full memtables, and merges runs.

use super::SharedIndex;
use super::pack::Others;
use crate::disk::checkpoint::Checkpoint;
use crate::disk::manifest::CoveredLog;
use crate::disk::new_files::NewFiles;
use crate::error::Error;
use crate::keys::memtable::{FRAME_DOCUMENTS, MEMTABLE_DOCUMENTS, Memtable};
use crate::keys::runs::{KeyRun, next_merge};
use crate::life::dropped_at;
use crate::progress::Progress;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The time after which work that failed is tried again: a disk that was full may have room.
const TRY_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Seconds after which files with expired documents are searched for. It takes a second for ten million documents.
const LOOK_AFTER_SECONDS: u32 = 3600;

/// The time after which a file of the log that has ended may be rewritten. A copy that follows the index has read its changes by then: a
/// rewritten file has none, and a copy that still needs them must begin again with a backup.
const FOLLOWED_AFTER: Duration = Duration::from_secs(2);

/// A memtable that gets no more documents, and the links since the one before.
#[derive(Clone, Debug)]
pub(super) struct SealedMemtable {
    pub(super) memtable: Arc<Memtable>,
    pub(super) links: Vec<[u64; 2]>,
    /// The last payload in it, or before it.
    pub(super) payload: Option<Vec<u8>>,
    /// The part of the log that the runs have when they have this memtable.
    pub(super) covered: CoveredLog,
}

impl SealedMemtable {
    /// The documents in it, and the memory of its chains, as that of so many documents: a document touches a page of the heads for each of its keys,
    /// which is 94 KB, until all 24 MB are touched. A memtable that was replaced for a purge may have no documents, and counts as some.
    pub(super) fn weight(&self) -> u64 {
        let documents = self.memtable.range();
        let documents = documents.end - documents.start;
        documents + (327 * documents).min(HEADS_WEIGHT) + FRAME_DOCUMENTS as u64
    }
}

/// The work of the thread that is not done, and how it went.
#[derive(Debug, Default)]
pub(super) struct Progressed {
    /// The weight of the memtables that wait for a run.
    pub(super) waiting: AtomicU64,
    /// Runs that were merged.
    pub(super) merged: AtomicU64,
    /// The last failure, until the work is done after all.
    failure: Mutex<Option<String>>,
    /// The work is to end soon: runs are not merged any more, and work that fails is not tried again.
    closes: AtomicBool,
    /// The work is to end at once.
    stop: AtomicBool,
}

/// The weight of the heads of all chains of a memtable.
const HEADS_WEIGHT: u64 = MEMTABLE_DOCUMENTS as u64 / 3;

/// The weight of the memtables that wait for a run, at most: four full ones, or 341 without documents.
const WAITING_WEIGHT: u64 = 4 * (MEMTABLE_DOCUMENTS as u64 + HEADS_WEIGHT);

impl Progressed {
    pub(super) fn is_behind(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) >= WAITING_WEIGHT
    }

    /// Whether the writer is closed, so that work that takes long is to end.
    pub(super) fn is_closing(&self) -> bool {
        self.closes.load(Ordering::Relaxed)
    }

    pub(super) fn failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set_failure(&self, failure: Option<String>) {
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = failure;
    }
}

/// Stops a merge.
impl Progress for Progressed {
    fn advance(&self, _done: u64) -> ControlFlow<()> {
        match self.is_closing() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// The thread, from the side of the writer.
#[derive(Debug)]
pub(super) struct Keeper {
    pub(super) sender: Option<Sender<SealedMemtable>>,
    shared: Arc<SharedIndex>,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    pub(super) fn start(shared: Arc<SharedIndex>) -> Self {
        let (sender, receiver) = channel();
        let work =
            KeeperThread { shared: Arc::clone(&shared), packed: Packed::default(), ends: Ends::default() };
        let thread =
            thread::Builder::new().name("lookalike runs".to_owned()).spawn(move || work.run(&receiver));
        Keeper { sender: Some(sender), shared, thread: thread.ok() }
    }

    /// Waits until the memtables that wait are runs. Work that fails now is left to the next process.
    pub(super) fn finish(&mut self) {
        self.shared.progressed.closes.store(true, Ordering::Relaxed);
        self.sender = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        self.shared.upkeep.close();
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.shared.progressed.stop.store(true, Ordering::Relaxed);
        self.finish();
    }
}

/// The thread itself.
struct KeeperThread {
    shared: Arc<SharedIndex>,
    packed: Packed,
    ends: Ends,
}

/// The moments at which files of the log ended.
#[derive(Debug, Default)]
struct Ends {
    /// The starts of files that are not followed yet, ascending, and the moment at which each was the one that grows: those before it had ended.
    recent: VecDeque<(u64, Instant)>,
    /// All files that start before this place ended [`FOLLOWED_AFTER`] ago, or earlier.
    followed: u64,
}

impl Ends {
    /// Takes note of the file that grows now.
    fn note(&mut self, start: u64) {
        if self.recent.back().map_or(self.followed, |&(newest, _)| newest) != start {
            self.recent.push_back((start, Instant::now()));
        }
        while let Some(&(start, since)) = self.recent.front()
            && since.elapsed() >= FOLLOWED_AFTER
        {
            self.followed = start;
            self.recent.pop_front();
        }
    }

    /// Whether all files that have ended may be rewritten.
    fn are_followed(&self) -> bool {
        self.recent.is_empty()
    }
}

/// The moment at which files of the log with many dead documents were searched for.
#[derive(Debug, Default)]
struct Packed {
    removed: u64,
    now: u32,
}

impl KeeperThread {
    fn run(mut self, receiver: &Receiver<SealedMemtable>) {
        loop {
            match receiver.recv_timeout(TRY_AGAIN_AFTER) {
                Ok(sealed) => {
                    // The runs are in the order of their documents: without this one there is no next one.
                    if !self.insist(|| self.make_run(&sealed)) {
                        return;
                    }
                    self.shared.progressed.waiting.fetch_sub(sealed.weight(), Ordering::Relaxed);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            // Look-ups are slower without it, and nothing else: memtables do not wait for it.
            if !self.shared.progressed.is_closing() {
                match self.tidy() {
                    Ok(()) => self.shared.progressed.set_failure(None),
                    Err(Error::Interrupted) => {}
                    Err(error) => self.shared.progressed.set_failure(Some(error.to_string())),
                }
            }
        }
    }

    /// Repeats `work` until it succeeds, or the thread is to end. Returns whether it has succeeded.
    fn insist(&self, work: impl Fn() -> Result<(), Error>) -> bool {
        while !self.shared.progressed.stop.load(Ordering::Relaxed) {
            match work() {
                Ok(()) => {
                    self.shared.progressed.set_failure(None);
                    return true;
                }
                Err(error) => self.shared.progressed.set_failure(Some(error.to_string())),
            }
            if self.shared.progressed.is_closing() {
                return false;
            }
            thread::sleep(TRY_AGAIN_AFTER);
        }
        false
    }

    /// Puts a run in the place of a memtable.
    fn make_run(&self, sealed: &SealedMemtable) -> Result<(), Error> {
        let (shared, state) = (&self.shared, self.shared.state());
        // A run, links, removed documents and extended expiries.
        let mut written = shared.reserve(4);
        let mut files = NewFiles::default();
        let (folder, owner, range) = (&shared.folder, shared.owner, sealed.memtable.range());
        let mut checkpoint = Checkpoint { folder, owner, manifest: &mut written, files: &mut files };
        let lives = state.lives_of(&sealed.memtable, dropped_at(shared.now()));
        let run = match range.is_empty() {
            true => None,
            false => {
                let path = checkpoint.add_memtable(&sealed.memtable, &lives)?;
                Some(Arc::new(KeyRun::open(&path, owner, &state.tables)?))
            }
        };
        checkpoint.add_links(&sealed.links)?;
        checkpoint.set_removed(&state.removed)?;
        checkpoint.set_extended(&state)?;
        {
            let mut manifest = shared.manifest();
            let mut next = manifest.clone();
            // Others may have merged runs meanwhile.
            next.runs.extend(written.runs.last().filter(|_| run.is_some()));
            next.links = written.links;
            (next.removed, next.extended) = (written.removed, written.extended);
            next.purging = shared.all_purging();
            next.dropped = lives.dropped().max(next.dropped);
            next.payload.clone_from(&sealed.payload);
            next.cover(sealed.covered);
            shared.publish(&mut manifest, next, files)?;
        }
        shared.change_state(|state| {
            state.dropped = lives.dropped().max(state.dropped);
            if run.is_some() {
                state.memtables.retain(|memtable| memtable.range().start != range.start);
            }
            state.runs.extend(run);
        });
        Ok(())
    }

    /// Trains a dictionary if there is none, merges runs until each is large enough beside those that follow it, and rewrites files of the log with many dead documents. Does nothing
    /// while another thread does such work.
    fn tidy(&mut self) -> Result<(), Error> {
        let shared = &self.shared;
        let Some(_right) = shared.upkeep.try_take() else { return Ok(()) };
        shared.train()?;
        loop {
            let sizes: Vec<u64> = shared.state().runs.iter().map(|run| run.documents()).collect();
            let Some(range) = next_merge(&sizes) else { break };
            shared.merge(range, &*shared.progressed)?;
            self.shared.progressed.merged.fetch_add(1, Ordering::Relaxed);
        }
        let (removed, now) = (shared.state().removed.len(), shared.now());
        let has_more = removed > self.packed.removed + shared.state().end() / 100
            || now >= self.packed.now.saturating_add(LOOK_AFTER_SECONDS);
        if let Some(start) = shared.manifest().log.last().map(|file| file.start) {
            self.ends.note(start);
        }
        if has_more && self.ends.are_followed() {
            shared.pack(Others::Pack, self.ends.followed, &*shared.progressed)?;
            self.packed = Packed { removed, now };
        } else if shared.has_purging() {
            shared.pack(Others::Stay, self.ends.followed, &*shared.progressed)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::memtable::{DocumentKeys, FULL_DOCUMENTS};
    use crate::keys::tables::Tables;
    use lookalike::Plan;

    #[test]
    fn few_full_memtables_are_too_many_and_many_small_ones_are_not() {
        let progressed = Progressed::default();
        let sealed = |documents: usize| {
            let tables = Arc::new(Tables::in_folder(&Plan::default(), true));
            let memtable = Memtable::new(0, Arc::clone(&tables), documents.max(1));
            for _ in 0..documents {
                memtable.push(DocumentKeys { sketch: &[], id: 1, url: None }, 0, 0);
            }
            SealedMemtable {
                memtable: Arc::new(memtable),
                links: Vec::new(),
                payload: None,
                covered: CoveredLog::default(),
            }
        };
        progressed.waiting.store(100 * sealed(5).weight(), Ordering::Relaxed);
        assert!(!progressed.is_behind());
        progressed.waiting.store(4 * sealed(FULL_DOCUMENTS).weight(), Ordering::Relaxed);
        assert!(progressed.is_behind());
    }

    #[test]
    fn a_file_of_the_log_that_has_just_ended_is_not_rewritten() {
        let mut ends = Ends::default();
        ends.note(0);
        ends.note(100);
        assert_eq!((ends.followed, ends.are_followed()), (0, false));
        let pass = |ends: &mut Ends, time| {
            ends.recent.iter_mut().for_each(|(_, since)| *since = since.checked_sub(time).unwrap())
        };
        pass(&mut ends, FOLLOWED_AFTER);
        ends.note(100);
        assert_eq!((ends.followed, ends.are_followed()), (100, true));
        ends.note(200);
        assert_eq!((ends.followed, ends.are_followed()), (100, false));
        // Files that end one soon after the other do not keep those before them from being rewritten.
        for start in [300, 400, 500, 600] {
            pass(&mut ends, FOLLOWED_AFTER / 2);
            ends.note(start);
        }
        assert_eq!((ends.followed, ends.are_followed()), (500 - 100, false));
    }
}
