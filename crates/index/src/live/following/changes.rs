//! Reads changes from the log while it is written.

use crate::error::Error;
use crate::live::IndexReader;
use crate::log::record::{LogRecord, RecordKind};
use crate::log::{FRAME_HEAD_BYTES, LogFile};
use lookalike_store::{Frame, JournalEnd};
use std::collections::VecDeque;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Changes that are read at a time, at most.
const MOST_CHANGES: usize = 1024;

/// Bytes of changes from which on no more are read at a time.
const MOST_BYTES: usize = 1 << 20;

/// Changes that follow each other: documents, removals, links, extensions and payloads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    sequence: u64,
    first: u64,
    records: Vec<u8>,
    changes: u64,
    documents: u64,
}

impl Changes {
    /// Changes from number `sequence` on. Documents among them have the numbers from `first` on. `None` if `records` are damaged, or more than are
    /// read at a time.
    pub(crate) fn read(sequence: u64, first: u64, records: Vec<u8>) -> Option<Self> {
        let mut changes = Changes::starting_at(sequence, first);
        let mut at = 0;
        while at < records.len() {
            if changes.changes as usize == MOST_CHANGES || at >= MOST_BYTES {
                return None;
            }
            let record = LogRecord::read(&records[at..], changes.next_document())?;
            changes.count(record);
            at += record.length;
        }
        Some(Changes { records, ..changes })
    }

    /// No changes yet.
    fn starting_at(sequence: u64, first: u64) -> Self {
        Changes { sequence, first, ..Changes::default() }
    }

    /// Takes these changes out. What follows them is left, which is nothing yet.
    fn take(&mut self) -> Self {
        let rest = Changes::starting_at(self.next_sequence(), self.next_document());
        std::mem::replace(self, rest)
    }

    fn count(&mut self, record: LogRecord<'_>) {
        self.changes += 1;
        self.documents += u64::from(record.kind == RecordKind::Document);
    }

    fn push(&mut self, record: LogRecord<'_>, bytes: &[u8]) {
        self.count(record);
        self.records.extend_from_slice(bytes);
    }

    fn is_full(&self) -> bool {
        self.changes as usize >= MOST_CHANGES || self.records.len() >= MOST_BYTES
    }

    /// A hash of the first change.
    fn hash_of_first(&self) -> Option<u64> {
        let record = LogRecord::read(&self.records, self.first)?;
        Some(xxh3_64(&self.records[..record.length]))
    }

    /// The sequence number of the first one.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// The sequence number of the change that follows the last one.
    pub(crate) fn next_sequence(&self) -> u64 {
        self.sequence + self.changes
    }

    /// The number of the first document among them.
    pub(crate) fn first_document(&self) -> u64 {
        self.first
    }

    /// The number of the document that follows the last one among them.
    pub(crate) fn next_document(&self) -> u64 {
        self.first + self.documents
    }

    /// The number of documents among them.
    pub fn documents(&self) -> usize {
        self.documents as usize
    }

    /// Their records in the log.
    pub(crate) fn records(&self) -> &[u8] {
        &self.records
    }

    /// The bytes of their records.
    pub fn bytes(&self) -> usize {
        self.records.len()
    }
}

/// Reads the changes of an index in their order, as soon as they are on the disk.
#[derive(Debug)]
pub struct ChangeReader {
    reader: IndexReader,
    /// The file that is read. It stays readable if it is replaced by one without its dead documents.
    file: Arc<LogFile>,
    /// The end of the last frame that was read.
    end: JournalEnd,
    /// The sequence number of the next change.
    next: u64,
    /// Changes of this frame that were not given out.
    read: VecDeque<Changes>,
}

impl IndexReader {
    /// Reads the changes from number `sequence` on.
    ///
    /// # Errors
    /// [`Error::OldChanges`] if the log has not all of them any more, or does not have so many. [`Error::Damaged`].
    pub fn changes_from(&self, sequence: u64) -> Result<ChangeReader, Error> {
        // In this order: what is on the disk later is in these files, or behind them.
        let state = self.0.state();
        let durable = self.0.durable();
        let old = || Error::OldChanges { sequence };
        let mut found = None;
        for part in state.log.parts() {
            // What comes before a file without its dead documents does not lead to the changes behind it.
            let Some(file) = part.frames() else {
                found = None;
                continue;
            };
            let first = file.journal.frames(file.journal.start(), limit(file, durable.place)).next();
            let first = first.transpose().map_err(|error| Error::from(error).of_index())?;
            if first.map_or(durable.sequence, |frame| frame.sequence) <= sequence {
                found = Some(file);
            }
        }
        let file = found.filter(|_| sequence <= durable.sequence).ok_or_else(old)?;
        let end = file.journal.seek(file.journal.start(), limit(file, durable.place), sequence);
        let end = end.map_err(|error| Error::from(error).of_index())?;
        let file = Arc::clone(file);
        Ok(ChangeReader { reader: self.clone(), file, end, next: sequence, read: VecDeque::new() })
    }

    /// A hash of the change with this number. `None` if the log does not have it any more.
    pub(super) fn hash_of_change(&self, sequence: u64) -> Result<Option<u64>, Error> {
        match self.changes_from(sequence).and_then(|mut changes| changes.next_changes()) {
            Ok(changes) => Ok(changes.and_then(|changes| changes.hash_of_first())),
            Err(Error::OldChanges { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl ChangeReader {
    /// The sequence number of the next change.
    pub fn next_sequence(&self) -> u64 {
        self.next
    }

    /// The next changes. `None` if all that are on the disk were read.
    ///
    /// # Errors
    /// [`Error::OldChanges`] if the log has lost changes meanwhile, because their documents are dead. [`Error::Damaged`].
    pub fn next_changes(&mut self) -> Result<Option<Changes>, Error> {
        loop {
            if let Some(changes) = self.read.pop_front() {
                self.next = changes.next_sequence();
                return Ok(Some(changes));
            }
            if !self.read_frame()? {
                return Ok(None);
            }
        }
    }

    /// Reads the next frame, or goes to the next file. Returns whether there is one.
    fn read_frame(&mut self) -> Result<bool, Error> {
        // In this order, as above.
        let state = self.reader.0.state();
        let durable = self.reader.0.durable();
        let start = self.file.start;
        let mut parts = state.log.parts().iter().skip_while(|part| part.start() < start).peekable();
        if let Some(same) = parts.next_if(|part| part.start() == start).and_then(|part| part.frames()) {
            self.reopen(same);
        }
        let file = &*self.file;
        let frame = file.journal.frames(self.end, limit(file, durable.place)).next().transpose();
        if let Some(frame) = frame.map_err(|error| Error::from(error).of_index())? {
            self.read = self.parts(&frame).map_err(|error| error.of_index())?;
            self.end = frame.end();
            return Ok(true);
        }
        let Some(next) = parts.next() else { return Ok(false) };
        // A file that others have replaced has no frames, and those behind it do not continue this one.
        let continues = |next: &&Arc<LogFile>| next.journal.start().chain == self.end.chain;
        let next = next.frames().filter(continues).ok_or(Error::OldChanges { sequence: self.next })?;
        (self.file, self.end) = (Arc::clone(next), next.journal.start());
        Ok(true)
    }

    /// Goes on in the file that is now at the same place. It has the same frames, or there were none.
    fn reopen(&mut self, same: &Arc<LogFile>) {
        if self.end == self.file.journal.start() {
            self.end = same.journal.start();
        }
        self.file = Arc::clone(same);
    }

    /// The changes of a frame from the next one on, in parts that are not too large.
    fn parts(&self, frame: &Frame<'_>) -> Result<VecDeque<Changes>, Error> {
        let damaged = |at: usize| self.file.journal.damaged(frame.at + at as u64, "a record is damaged");
        let first = frame.payload.get(..FRAME_HEAD_BYTES).and_then(|bytes| bytes.try_into().ok());
        let first = first.map(u64::from_le_bytes).ok_or_else(|| damaged(0))?;
        let (mut parts, mut at) = (VecDeque::new(), FRAME_HEAD_BYTES);
        let mut part = Changes::starting_at(frame.sequence, first);
        while at < frame.payload.len() {
            let record =
                LogRecord::read(&frame.payload[at..], part.next_document()).ok_or_else(|| damaged(at))?;
            part.push(record, &frame.payload[at..at + record.length]);
            at += record.length;
            // What was read before ends where the next part begins.
            if part.is_full() || part.next_sequence() == self.next || at == frame.payload.len() {
                parts.push_back(part.take());
            }
        }
        parts.retain(|part| part.sequence >= self.next);
        Ok(parts)
    }
}

/// The byte of a file up to which it is on the disk, if the log is there up to this place.
fn limit(file: &LogFile, durable: u64) -> u64 {
    file.written().min(durable.saturating_sub(file.start))
}
