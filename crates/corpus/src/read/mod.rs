//! Scans: chunks handed out to workers, and the records in them.
//!
//! A plain JSONL file is cut into byte ranges, so that all workers read the same file. What can only be read from its
//! start (a compressed file, CSV, WARC, a JSON array) is a stream: one worker decodes its next chunk while others work on the chunks before,
//! and on the streams of other files.

mod chunk;
mod columns;
pub(crate) mod decode;
mod documents;
mod elements;
pub(crate) mod json;
pub(crate) mod lines;
mod loaded;
mod memory;
#[cfg(feature = "parquet")]
pub(crate) mod rows;
#[cfg(not(feature = "parquet"))]
#[path = "rows/absent.rs"]
pub(crate) mod rows;
mod schedule;
mod stream;
pub(crate) mod table;
mod texts;
pub(crate) mod unopened;
mod warc;

use std::sync::{Mutex, MutexGuard, PoisonError};

use self::{
    chunk::Content,
    schedule::{Schedule, Step},
};
pub use self::{
    chunk::{Chunk, ChunkId, Scratch},
    loaded::Loaded,
    rows::is_decoding,
    table::{BadDelimiter, Delimiter},
};
pub(crate) use self::{loaded::Body, warc::Archive, warc::starts_record as starts_warc_record};
use crate::{Error, Fields, Inputs};

/// Chunks have about this many bytes: some hundred documents, so that system calls and locks cost little for each, yet
/// small enough for the cache of a core, and for a file of some megabytes to give every worker a share.
const CHUNK_BYTES: usize = 1 << 20;

/// What a scan is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scan {
    /// To read documents: only the wanted columns are decoded, and several streams at once.
    Documents,
    /// The same, and chunks are handed out in the order of their ids, so that whoever writes in that order holds back few of them.
    DocumentsInOrder,
    /// To write records again: all columns are decoded.
    Records,
    /// As [`Scan::Records`], and chunks are handed out in the order of their ids, so that a writer that joins several
    /// files into one holds back few of them. Files that are only compared with are left out.
    RecordsInOrder,
    /// To read lists of ids: as [`Scan::Documents`], and the text may be a number too, which is then as it is written.
    Lists,
}

impl Scan {
    /// Are chunks handed out in the order of their ids?
    fn is_in_order(self) -> bool {
        matches!(self, Scan::DocumentsInOrder | Scan::RecordsInOrder)
    }
}

/// One scan of the inputs, shared by all workers.
#[derive(Debug)]
pub struct Reader<'a> {
    inputs: &'a Inputs,
    fields: &'a Fields,
    scan: Scan,
    chunk_bytes: usize,
    schedule: Mutex<Schedule>,
}

impl<'a> Reader<'a> {
    /// Starts a scan. Files are opened when their turn comes.
    pub fn new(inputs: &'a Inputs, fields: &'a Fields, scan: Scan) -> Reader<'a> {
        Reader::with_chunk_bytes(inputs, fields, scan, CHUNK_BYTES)
    }

    /// The same in chunks of about so many bytes. The documents are the same, their chunks and places are not.
    pub fn with_chunk_bytes(
        inputs: &'a Inputs,
        fields: &'a Fields,
        scan: Scan,
        chunk_bytes: usize,
    ) -> Reader<'a> {
        let first_file = if scan == Scan::RecordsInOrder { inputs.against() } else { 0 };
        Reader { inputs, fields, scan, chunk_bytes, schedule: Mutex::new(Schedule::from_file(first_file)) }
    }

    /// The next chunk for the calling worker; `None` when there are no more.
    ///
    /// The chunks of a file come in order, but not those of different files unless the scan is in order. Cheap for plain files; for a stream this decodes the chunk.
    ///
    /// # Errors
    /// [`Error`] if a file cannot be read or changed since it was resolved. A file that is not what it should be, or lacks the text
    /// column, is a chunk with one bad record.
    pub fn next(&self) -> Result<Option<Chunk<'a>>, Error> {
        loop {
            let step = self.lock_schedule().step(self)?;
            match step {
                Step::Chunk { id, turn, content } => return Ok(Some(self.chunk(id, turn, content))),
                Step::Streams { streams, may_open } => {
                    let idle = streams.iter().find_map(|stream| Some((stream, stream.try_lock()?)));
                    let (stream, mut decoding) = match idle {
                        Some(idle) => idle,
                        None if may_open => {
                            self.lock_schedule().open_next(self)?;
                            continue;
                        }
                        None => (&streams[0], streams[0].lock()),
                    };
                    match decoding.next(self)? {
                        Some((id, content)) => {
                            let turn = self.lock_schedule().turn();
                            return Ok(Some(self.chunk(id, turn, content)));
                        }
                        None => self.lock_schedule().forget(stream),
                    }
                }
                Step::Done => return Ok(None),
            }
        }
    }

    fn chunk(&self, id: ChunkId, turn: u64, content: Content) -> Chunk<'a> {
        Chunk { id, turn, content, inputs: self.inputs, fields: self.fields, scan: self.scan }
    }

    fn lock_schedule(&self) -> MutexGuard<'_, Schedule> {
        // A worker that panicked between two steps leaves the schedule as it was before its step.
        self.schedule.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
