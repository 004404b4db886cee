//! The end of the log after a stop or a kill: what was committed, and is in no run yet.

use crate::encode::id_hash;
use crate::error::Error;
use crate::log::record::{DocumentParts, Kind, Record};
use crate::log::{FRAME_HEAD_BYTES, LogFile};
use crate::manifest::{LogEntry, Manifest};
use crate::memtable::{MEMTABLE_DOCUMENTS, Memtable};
use crate::state::State;
use lookalike_store::{Error as StoreError, Frame, JournalEnd};
use std::sync::Arc;

/// What the log has behind the end that the manifest names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tail {
    /// The links in it.
    pub(crate) links: Vec<[u64; 2]>,
    /// The sum of the shingles of its documents.
    pub(crate) features: u64,
    /// The number of its documents.
    pub(crate) documents: u64,
    /// The sequence number of the next record.
    pub(crate) sequence: u64,
    /// Where the log ends.
    pub(crate) end: Option<JournalEnd>,
    /// The last payload in it.
    pub(crate) payload: Option<Vec<u8>>,
}

impl Tail {
    /// Reads the end of the last file of the log, and puts its documents and removals into `state`. The file may end in a frame that was
    /// not written to its end. That frame is ignored.
    ///
    /// # Errors
    /// [`Error::Store`] if a frame is damaged.
    pub(crate) fn read(manifest: &Manifest, state: &mut State) -> Result<Self, Error> {
        let mut tail = Tail { sequence: manifest.sequence, ..Tail::default() };
        let Some((entry, file)) = manifest.log.last().zip(state.log.files().last().cloned()) else {
            return Ok(tail);
        };
        let recovered = file.journal.recover(entry.end(), entry.bytes)?;
        file.grow(recovered.end.at);
        for frame in file.journal.frames(entry.end(), recovered.end.at) {
            tail.replay(&frame?, entry, &file, state)?;
        }
        tail.end = Some(recovered.end);
        Ok(tail)
    }

    fn replay(
        &mut self,
        frame: &Frame<'_>,
        entry: &LogEntry,
        file: &LogFile,
        state: &mut State,
    ) -> Result<(), Error> {
        let damaged = |at: usize, what| -> StoreError { file.journal.damaged(frame.at + at as u64, what) };
        let first = frame.payload.get(..FRAME_HEAD_BYTES).and_then(|bytes| bytes.try_into().ok());
        let mut number = first.map(u64::from_le_bytes).unwrap_or(u64::MAX);
        if frame.sequence != self.sequence || number != state.end() {
            return Err(damaged(0, "a frame does not follow the one before it").into());
        }
        let mut at = FRAME_HEAD_BYTES;
        while at < frame.payload.len() {
            let bad = || damaged(at, "a record is damaged");
            let record = Record::read(&frame.payload[at..], number).ok_or_else(bad)?;
            match record.kind {
                Kind::Document => {
                    let place = entry.start + frame.at + at as u64;
                    self.add(record, place, state).ok_or_else(bad)?;
                    number += 1;
                }
                Kind::Removal => {
                    let [number] = record.numbers().ok_or_else(bad)?;
                    state.removed.insert(number);
                }
                Kind::Link => self.links.push(record.numbers().ok_or_else(bad)?),
                Kind::Payload => self.payload = Some(record.body.to_vec()),
            }
            self.sequence += 1;
            at += record.length;
        }
        Ok(())
    }

    fn add(&mut self, record: Record<'_>, place: u64, state: &mut State) -> Option<()> {
        let (bands, num_perm) = (state.plan.banding().bands, state.plan.num_perm());
        let parts = DocumentParts::read(record.body, bands, num_perm)?;
        let mut keys = Vec::new();
        if !parts.content.is_empty() {
            crate::key::unpack(&record.body[parts.keys.clone()], bands, &mut keys);
        }
        let id = std::str::from_utf8(&record.body[parts.id.clone()]).ok()?;
        self.features += parts.content.shingles();
        self.documents += 1;
        state.open_memtable().push(&keys, id_hash(id), place);
        Some(())
    }
}

impl State {
    /// The memtable that has room for the next document. A new one is added if there is none.
    pub(crate) fn open_memtable(&mut self) -> Arc<Memtable> {
        if self.memtables.last().is_none_or(|memtable| memtable.is_full()) {
            let tables = State::tables(&self.plan);
            self.memtables.push(Arc::new(Memtable::new(self.end(), tables, MEMTABLE_DOCUMENTS)));
        }
        Arc::clone(&self.memtables[self.memtables.len() - 1])
    }
}
