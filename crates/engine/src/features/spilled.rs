//! Features that there is no room for in memory: a log of chunks.

use crate::error::Error;
use crate::features::{Arena, Room};
use crate::progress::Monitor;
use crate::work::Part;
use lookalike_store::{Log, bytes_of};
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The log's name.
const LOG: &str = "features";

/// The parts of its records.
pub(super) mod part {
    /// Which documents they are of.
    pub(crate) const DOCUMENTS: usize = 0;
    /// How many each has.
    pub(crate) const LENGTHS: usize = 1;
    pub(crate) const VALUES: usize = 2;
    pub(crate) const WEIGHTS: usize = 3;
    /// The chunk's first document.
    pub(crate) const CHUNK: usize = 4;
}

/// Where features go that were read again.
pub(super) struct Spilled<'a> {
    room: Option<Room<'a>>,
    /// The chunks that an earlier run has put here, by their first documents.
    before: HashSet<u32>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    bytes: u64,
    log: Option<Part>,
}

impl<'a> Spilled<'a> {
    /// Nothing yet, but for what an earlier run has left; without `room` all stay in memory.
    pub(super) fn new(room: Option<Room<'a>>, monitor: &Monitor) -> Result<Self, Error> {
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

    /// Has an earlier run put the chunk here that starts with this document?
    pub(super) fn has(&self, first_document: u32) -> bool {
        self.before.contains(&first_document)
    }

    /// Takes what is in `arena` behind so many documents and values, the features of the chunk that starts with this document, unless
    /// it stays in memory.
    pub(super) fn takes(
        &self,
        first_document: u32,
        arena: &Arena,
        (documents, values): (usize, usize),
    ) -> Result<bool, Error> {
        let Some(room) = self.room else { return Ok(false) };
        let weights = arena.weights.get(values..).unwrap_or_default();
        let (spans, values) = (&arena.spans[documents..], &arena.values[values..]);
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

    /// The log, if anything went there.
    pub(super) fn finish(self) -> Result<Option<Log>, Error> {
        let State { log, .. } = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        match (log, self.room.and_then(|room| room.work.folder())) {
            (Some(_), Some(folder)) => Ok(Some(folder.read_log(LOG)?)),
            _ => Ok(None),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
