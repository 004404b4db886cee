//! The end of the log after a stop or a kill: what was committed, and is in no run yet.
//!
//! **After a kill.** The manifest says which part of the log the runs cover. `recover` reads the rest into a memtable.
//! `journal` tells a frame whose write was not finished from a damaged one. The first is cut off, and nobody had an
//! answer that rests on it. The second is an error.

use crate::disk::manifest::{CoveredLog, LogEntry, Manifest};
use crate::error::Error;
use crate::keys::memtable::{DocumentKeys, MEMTABLE_DOCUMENTS, Memtable};
use crate::life::NEVER;
use crate::log::record::{DocumentParts, LogRecord, RecordKind};
use crate::log::{FRAME_HEAD_BYTES, LogFile};
use crate::state::IndexState;
use lookalike_store::{Error as StoreError, Frame, JournalEnd};
use std::sync::Arc;

/// What the log has behind the part that the manifest covers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tail {
    /// The links in it.
    pub(crate) links: Vec<[u64; 2]>,
    /// The part of the log that the manifest will cover when it covers the tail too.
    pub(crate) covered: CoveredLog,
    /// Where the last file of the log ends, if there is one.
    pub(crate) end: Option<JournalEnd>,
    /// Removed documents whose text is to be gone from the disk, and is not yet.
    pub(crate) purging: Vec<u64>,
    /// The last payload in it, or before it.
    pub(crate) payload: Option<Vec<u8>>,
}

impl Tail {
    /// Reads the end of the log, and puts its documents and removals into `state`. The last file may end in a frame that was not written to
    /// its end. That frame is ignored.
    ///
    /// # Errors
    /// [`Error::Store`] if a frame is damaged.
    pub(crate) fn read(manifest: &Manifest, state: &mut IndexState) -> Result<Self, Error> {
        let (covered, payload) = (manifest.covered, manifest.payload.clone());
        let purging = manifest.purging.clone();
        let mut tail = Tail { covered, payload, purging, ..Tail::default() };
        for (entry, part) in manifest.log.iter().zip(state.log.parts().to_vec()) {
            // A file is packed when runs have all of it.
            let Some(file) = part.frames() else { continue };
            let from = match tail.covered.place.checked_sub(entry.start) {
                Some(at) if at > entry.bytes => continue,
                Some(at) if at >= file.journal.start().at => JournalEnd { at, chain: tail.covered.chain },
                _ => file.journal.start(),
            };
            let is_last = entry.number == manifest.log.last().map_or(0, |last| last.number);
            let end = match is_last {
                true => file.journal.recover(from, entry.bytes)?.end,
                false => entry.end(),
            };
            file.grow(end.at);
            for frame in file.journal.frames(from, end.at) {
                tail.replay(&frame?, entry, file, state)?;
            }
            tail.covered = CoveredLog { place: entry.start + end.at, chain: end.chain, ..tail.covered };
            tail.end = Some(end);
        }
        Ok(tail)
    }

    fn replay(
        &mut self,
        frame: &Frame<'_>,
        entry: &LogEntry,
        file: &LogFile,
        state: &mut IndexState,
    ) -> Result<(), Error> {
        let damaged = |at: usize, what| -> StoreError { file.journal.damaged(frame.at + at as u64, what) };
        let first = frame.payload.get(..FRAME_HEAD_BYTES).and_then(|bytes| bytes.try_into().ok());
        let mut number = first.map(u64::from_le_bytes).unwrap_or(u64::MAX);
        if frame.sequence != self.covered.sequence || number != state.end() {
            return Err(damaged(0, "a frame does not follow the one before it").into());
        }
        let mut at = FRAME_HEAD_BYTES;
        while at < frame.payload.len() {
            let bad = || damaged(at, "a record is damaged");
            let record = LogRecord::read(&frame.payload[at..], number).ok_or_else(bad)?;
            match record.kind {
                RecordKind::Document => {
                    let place = entry.start + frame.at + at as u64;
                    self.add(record, place, state).ok_or_else(bad)?;
                    number += 1;
                }
                RecordKind::Removal => {
                    let [number] = record.numbers().ok_or_else(bad)?;
                    state.removed.insert(number, None);
                }
                RecordKind::Purge => {
                    let [number] = record.numbers().ok_or_else(bad)?;
                    state.removed.insert(number, None);
                    self.purging.push(number);
                }
                RecordKind::Extension => {
                    let (number, second) = record.extension().ok_or_else(bad)?;
                    state.extended.extend(number, second, None);
                }
                RecordKind::Link => self.links.push(record.numbers().ok_or_else(bad)?),
                RecordKind::Payload => self.payload = Some(record.body.to_vec()),
            }
            self.covered.sequence += 1;
            at += record.length;
        }
        Ok(())
    }

    fn add(&mut self, record: LogRecord<'_>, place: u64, state: &mut IndexState) -> Option<()> {
        let parts = DocumentParts::read(record.body, &state.tables)?;
        let (keys, id) = parts.keys_and_id(record.body, &state.tables)?;
        self.covered.features += parts.content.shingles();
        self.covered.documents += 1;
        let keys = DocumentKeys { sketch: &keys, id, url: parts.url_hash };
        state.open_memtable().push(keys, place, parts.expires.unwrap_or(NEVER));
        Some(())
    }
}

impl IndexState {
    /// The memtable that has room for the next document. A new one is added if there is none.
    pub(crate) fn open_memtable(&mut self) -> Arc<Memtable> {
        if self.memtables.last().is_none_or(|memtable| memtable.is_full()) {
            let tables = Arc::clone(&self.tables);
            self.memtables.push(Arc::new(Memtable::new(self.end(), tables, MEMTABLE_DOCUMENTS)));
        }
        Arc::clone(&self.memtables[self.memtables.len() - 1])
    }
}
