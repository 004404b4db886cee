//! Features that memory has no room for: a log with a record for each chunk.

use crate::error::Error;
use crate::features::{Arena, ArenaStart, FeatureRoom};
use crate::progress::Monitor;
use crate::work::RunLog;
use lookalike_store::{Log, bytes_of};
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The log's name.
const LOG: &str = "features";

/// The parts of its records.
pub(super) mod part {
    /// The documents.
    pub(crate) const DOCUMENTS: usize = 0;
    /// The number of features of each.
    pub(crate) const LENGTHS: usize = 1;
    /// The features, one document after the other.
    pub(crate) const VALUES: usize = 2;
    /// Their weights, if weights are compared.
    pub(crate) const WEIGHTS: usize = 3;
    /// The first document of the chunk.
    pub(crate) const CHUNK: usize = 4;
}

/// Decides where features go that were made again: memory, or the log.
pub(super) struct Spilled<'a> {
    room: Option<FeatureRoom<'a>>,
    /// The chunks of an earlier run, by their first documents.
    before: HashSet<u32>,
    state: Mutex<SpillState>,
}

#[derive(Default)]
struct SpillState {
    /// The bytes of features that stay in memory.
    bytes: u64,
    log: Option<RunLog>,
}

impl<'a> Spilled<'a> {
    /// Starts with the chunks of an earlier run. Without `room` all features stay in memory.
    pub(super) fn new(room: Option<FeatureRoom<'a>>, monitor: &Monitor) -> Result<Self, Error> {
        let mut spilled = Spilled { room, before: HashSet::new(), state: Mutex::default() };
        if let Some(folder) = room.and_then(|room| room.work.folder()) {
            let (log, writer) = folder.log(LOG, monitor)?;
            for record in log.records() {
                spilled.before.extend(record.values::<u32>(part::CHUNK)?);
            }
            spilled.lock().log = Some(writer);
        }
        Ok(spilled)
    }

    /// Whether an earlier run has put the chunk here that starts with this document.
    pub(super) fn has(&self, first_document: u32) -> bool {
        self.before.contains(&first_document)
    }

    /// Takes the features of the chunk that starts with this document, unless they stay in memory. Returns whether it took them. They are in
    /// `arena`, from `start` on.
    pub(super) fn take(&self, first_document: u32, arena: &Arena, start: ArenaStart) -> Result<bool, Error> {
        let Some(room) = self.room else { return Ok(false) };
        let weights = arena.weights.get(start.values..).unwrap_or_default();
        let (spans, values) = (&arena.spans[start.documents..], &arena.values[start.values..]);
        let mut state = self.lock();
        if state.log.is_none() {
            state.bytes += (size_of_val(spans) + size_of_val(values) + size_of_val(weights)) as u64;
            if state.bytes <= room.bytes {
                return Ok(false);
            }
            state.log = Some(room.work.begin()?.log(LOG, &Monitor::default())?.1);
        }
        if let Some(log) = &mut state.log {
            let documents: Vec<u32> = spans.iter().map(|(document, _)| *document).collect();
            let lengths: Vec<u32> = spans.iter().map(|(_, span)| span.len).collect();
            log.append(&[
                bytes_of(&documents),
                bytes_of(&lengths),
                bytes_of(values),
                bytes_of(weights),
                bytes_of(&[first_document]),
            ])?;
        }
        Ok(true)
    }

    /// The log, if there is one.
    pub(super) fn finish(self) -> Result<Option<Log>, Error> {
        let SpillState { log, .. } = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        match (log, self.room.and_then(|room| room.work.folder())) {
            (Some(_), Some(folder)) => Ok(Some(folder.read_log(LOG)?)),
            _ => Ok(None),
        }
    }

    fn lock(&self) -> MutexGuard<'_, SpillState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
