//! Collects the chunks of the first scan as they are finished: in memory, and on disk when the memory budget is used up.

use crate::documents::kept::FeatureStore;
use crate::documents::sketched::ChunkHead;
use crate::documents::{BadLine, ChunkLayout, Documents, SketchedChunk, disk};
use crate::error::Error;
use crate::progress::Monitor;
use crate::work::{RunLog, Work};
use lookalike::Plan;
use lookalike::search::Sketches;
use lookalike_corpus::ChunkId;
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The log of finished chunks.
pub(super) const LOG: &str = "sketches";

/// Collects finished chunks.
pub struct ChunkCollector<'w> {
    work: &'w Work,
    plan: &'w Plan,
    /// The size of the inputs, from which the memory for all documents is estimated.
    input_bytes: u64,
    /// The chunks that an earlier run has finished.
    before: HashSet<ChunkId>,
    /// All documents, if an earlier run has finished the scan.
    complete: Option<Documents>,
    chunks: Mutex<FinishedChunks>,
}

#[derive(Default)]
struct FinishedChunks {
    parts: Vec<SketchedChunk>,
    bytes: u64,
    log: Option<RunLog>,
}

impl FinishedChunks {
    /// Estimates the sum of `number` over all chunks of the inputs, which are `more` times as long as the chunks so far. Chunks of
    /// compressed files are counted as they are.
    fn expected(&self, more: f64, number: impl Fn(&SketchedChunk) -> u64) -> u64 {
        let of = |part: &SketchedChunk| match part.head.stored_bytes {
            0 => number(part) as f64,
            _ => number(part) as f64 * more,
        };
        self.parts.iter().map(of).sum::<f64>() as u64
    }
}

impl<'w> ChunkCollector<'w> {
    /// Starts with the chunks of an earlier run.
    pub fn new(work: &'w Work, plan: &'w Plan, input_bytes: u64, monitor: &Monitor) -> Result<Self, Error> {
        let mut collected = ChunkCollector {
            work,
            plan,
            input_bytes,
            before: HashSet::new(),
            complete: None,
            chunks: Mutex::default(),
        };
        if let Some(folder) = work.folder()
            && spills(plan)
        {
            collected.complete = disk::open(folder, plan, monitor)?;
            if collected.complete.is_none() {
                let (log, writer) = folder.log(LOG, monitor)?;
                for record in log.records() {
                    collected.before.insert(ChunkHead::of(record)?.id);
                }
                collected.lock().log = Some(writer);
            }
        }
        Ok(collected)
    }

    /// Whether an earlier run has finished the scan.
    pub fn is_complete(&self) -> bool {
        self.complete.is_some()
    }

    /// Whether an earlier run has finished this chunk.
    pub fn has(&self, chunk: ChunkId) -> bool {
        self.before.contains(&chunk)
    }

    /// Whether chunks go to disk.
    pub(crate) fn is_on_disk(&self) -> bool {
        self.lock().log.is_some()
    }

    /// Adds a chunk.
    pub fn add(&self, part: SketchedChunk) -> Result<(), Error> {
        let mut chunks = self.lock();
        let chunks = &mut *chunks;
        if let Some(log) = &mut chunks.log {
            return append(log, &part);
        }
        chunks.bytes += part.bytes();
        chunks.parts.push(part);
        if chunks.bytes <= self.work.budget.sketches() {
            return Ok(());
        }
        if !spills(self.plan) {
            let (needed, left) = (chunks.bytes, self.work.budget.sketches());
            return Err(Error::TooMuchToHold { what: "the search", needed, left });
        }
        self.check(chunks)?;
        let folder = self.work.begin()?;
        let (_, mut log) = folder.log(LOG, &Monitor::default())?;
        for part in std::mem::take(&mut chunks.parts) {
            append(&mut log, &part)?;
        }
        chunks.log = Some(log);
        Ok(())
    }

    /// Refuses a run whose documents do not fit on disk or in memory, by an estimate from the chunks so far.
    fn check(&self, chunks: &FinishedChunks) -> Result<(), Error> {
        let stored: u64 = chunks.parts.iter().map(|part| part.head.stored_bytes).sum();
        let more = (self.input_bytes as f64 / stored.max(1) as f64).max(1.0);
        self.work.budget.check(chunks.expected(more, |part| u64::from(part.head.documents)))?;
        // While sketches are put in order they are on disk twice. Later, the features of some documents are there instead.
        let of_part = |part: &SketchedChunk| (2 * part.bytes()).max(part.bytes() + 4 * part.head.features);
        self.work.check_disk(chunks.expected(more, of_part))
    }

    /// The first record that was skipped, if there is one.
    pub(crate) fn first_bad(&self) -> Result<Option<BadLine>, Error> {
        let chunks = self.lock();
        let mut heads: Vec<ChunkHead> = chunks.parts.iter().map(|part| part.head.clone()).collect();
        if let (Some(_), Some(folder)) = (&chunks.log, self.work.folder()) {
            for record in folder.read_log(LOG)?.records() {
                heads.push(ChunkHead::of(record)?);
            }
        }
        heads.sort_unstable_by_key(|head| head.id);
        let mut layout = ChunkLayout::default();
        heads.iter().try_for_each(|head| layout.add(head))?;
        Ok(layout.bad.into_iter().next())
    }

    /// All documents, in order.
    pub(crate) fn assemble(self, stores: Vec<FeatureStore>, monitor: &Monitor) -> Result<Documents, Error> {
        let on_disk = self.is_on_disk();
        if let Some(documents) = self.complete {
            return Ok(documents);
        }
        let (work, plan) = (self.work, self.plan);
        let FinishedChunks { parts, log, .. } =
            self.chunks.into_inner().unwrap_or_else(PoisonError::into_inner);
        drop(log);
        match work.folder() {
            Some(folder) if on_disk => disk::assemble(folder, plan, &work.budget, monitor),
            _ => Documents::assemble(plan, parts, stores),
        }
    }

    fn lock(&self) -> MutexGuard<'_, FinishedChunks> {
        self.chunks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether sketches of this plan can be put on disk. Fingerprints are so small that they need not be.
fn spills(plan: &Plan) -> bool {
    plan.method() == lookalike::Method::MinHash
}

fn append(log: &mut RunLog, part: &SketchedChunk) -> Result<(), Error> {
    let Sketches::MinHash(table) = &part.sketches else { return Ok(()) };
    part.record(table, |parts| log.append(parts))
}
