//! The chunks of the first scan as they are finished: in memory, until that is not enough.

use crate::documents::kept::Store;
use crate::documents::sketched::Head;
use crate::documents::{BadLine, Documents, Layout, SketchedChunk, disk};
use crate::error::Error;
use crate::progress::Monitor;
use crate::work::{Part, Work};
use lookalike::Plan;
use lookalike::search::Sketches;
use lookalike_corpus::ChunkId;
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The log of finished chunks.
pub(super) const LOG: &str = "sketches";

/// The chunks that are finished.
pub struct Collected<'w> {
    work: &'w Work,
    plan: &'w Plan,
    /// Size of the inputs, to guess from what a part has taken what all will.
    input_bytes: u64,
    /// What an earlier run has finished.
    before: HashSet<ChunkId>,
    /// All documents, if an earlier run has finished everything.
    complete: Option<Documents>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    parts: Vec<SketchedChunk>,
    bytes: u64,
    log: Option<Part>,
}

impl State {
    /// The sum of `number` over all parts, and over what parts like them will be made of inputs of which those so far are a share
    /// of one in `more`. Nothing is guessed from parts of compressed files.
    fn expected(&self, more: f64, number: impl Fn(&SketchedChunk) -> u64) -> u64 {
        let of = |part: &SketchedChunk| match part.head.stored_bytes {
            0 => number(part) as f64,
            _ => number(part) as f64 * more,
        };
        self.parts.iter().map(of).sum::<f64>() as u64
    }
}

impl<'w> Collected<'w> {
    /// Nothing yet, but for what an earlier run has left.
    pub fn new(work: &'w Work, plan: &'w Plan, input_bytes: u64, monitor: &Monitor) -> Result<Self, Error> {
        let mut collected = Collected {
            work,
            plan,
            input_bytes,
            before: HashSet::new(),
            complete: None,
            state: Mutex::default(),
        };
        if let Some(folder) = work.folder()
            && spills(plan)
        {
            collected.complete = disk::open(folder, plan, monitor)?;
            if collected.complete.is_none() {
                let (log, writer) = folder.log(LOG, monitor)?;
                for record in log.records() {
                    collected.before.insert(Head::of(record)?.id);
                }
                collected.lock().log = Some(writer);
            }
        }
        Ok(collected)
    }

    /// Is there nothing to scan?
    pub fn is_complete(&self) -> bool {
        self.complete.is_some()
    }

    /// Was this chunk finished by an earlier run?
    pub fn has(&self, chunk: ChunkId) -> bool {
        self.before.contains(&chunk)
    }

    /// Does everything go to disk?
    pub fn is_on_disk(&self) -> bool {
        self.lock().log.is_some()
    }

    /// Takes a chunk.
    pub fn add(&self, part: SketchedChunk) -> Result<(), Error> {
        let mut state = self.lock();
        let state = &mut *state;
        if let Some(log) = &mut state.log {
            return append(log, &part);
        }
        state.bytes += part.bytes();
        state.parts.push(part);
        if state.bytes <= self.work.budget.sketches() {
            return Ok(());
        }
        if !spills(self.plan) {
            let (needed, left) = (state.bytes, self.work.budget.sketches());
            return Err(Error::TooMuchToHold { what: "the search", needed, left });
        }
        self.check(state)?;
        let folder = self.work.begin()?;
        let (_, mut log) = folder.log(LOG, &Monitor::default())?;
        for part in std::mem::take(&mut state.parts) {
            append(&mut log, &part)?;
        }
        state.log = Some(log);
        Ok(())
    }

    /// Refuses to start what cannot be finished, as far as it can be guessed from what has been read.
    fn check(&self, state: &State) -> Result<(), Error> {
        let stored: u64 = state.parts.iter().map(|part| part.head.stored_bytes).sum();
        let more = (self.input_bytes as f64 / stored.max(1) as f64).max(1.0);
        self.work.budget.check(state.expected(more, |part| u64::from(part.head.documents)))?;
        // Sketches, and the same again while they are put in order; later, features of some documents instead.
        let of_part = |part: &SketchedChunk| (2 * part.bytes()).max(part.bytes() + 4 * part.head.features);
        self.work.check_disk(state.expected(more, of_part))
    }

    /// The first record that was skipped, if there is one.
    pub fn first_bad(&self) -> Result<Option<BadLine>, Error> {
        let state = self.lock();
        let mut heads: Vec<Head> = state.parts.iter().map(|part| part.head.clone()).collect();
        if let (Some(_), Some(folder)) = (&state.log, self.work.folder()) {
            for record in folder.read_log(LOG)?.records() {
                heads.push(Head::of(record)?);
            }
        }
        heads.sort_unstable_by_key(|head| head.id);
        let mut layout = Layout::default();
        heads.iter().try_for_each(|head| layout.add(head))?;
        Ok(layout.bad.into_iter().next())
    }

    /// All documents, in order.
    pub fn assemble(self, stores: Vec<Store>, monitor: &Monitor) -> Result<Documents, Error> {
        let on_disk = self.is_on_disk();
        if let Some(documents) = self.complete {
            return Ok(documents);
        }
        let (work, plan) = (self.work, self.plan);
        let State { parts, log, .. } = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        drop(log);
        match work.folder() {
            Some(folder) if on_disk => disk::assemble(folder, plan, &work.budget, monitor),
            _ => Documents::assemble(plan, parts, stores),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Can sketches of this plan be put on disk? Fingerprints are so small that they need not.
fn spills(plan: &Plan) -> bool {
    plan.method() == lookalike::Method::MinHash
}

fn append(log: &mut Part, part: &SketchedChunk) -> Result<(), Error> {
    let Sketches::MinHash(table) = &part.sketches else { return Ok(()) };
    part.record(table, |parts| log.append(parts))
}
