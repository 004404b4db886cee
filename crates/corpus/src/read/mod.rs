//! Scans: chunks that are handed out to workers, and the records in them.
//!
//! A plain JSONL file is cut into byte ranges, so all workers can read the same file. A compressed file, CSV, WARC or a JSON
//! array must be decoded from its start, so it is a stream. One worker decodes the next chunk of a stream. The others work on
//! earlier chunks, and on the streams of other files.
//!
//! # How files are read in parallel
//!
//! - Plain JSONL is cut into byte ranges, which all workers read.
//! - Compressed files, CSV, WARC and JSON arrays (`elements`) are streams. One worker decodes the next chunk while
//!   others work on earlier chunks and on other files.
//! - The stream of a WARC only finds records. The worker that has the chunk decodes bodies and strips tags. It
//!   compresses kept records, a gzip member each.
//! - Each Parquet row group is a stream of its own. The Parquet decoder panics on some broken files, and `rows/guard`
//!   turns this into an error.
//! - Wanted columns of Parquet are read by Arrow. Rows that are written again are not: `rows/leaf` holds levels and
//!   values of each column as the file has them, and `records/rows` writes them under the schema of the file.
//! - Each record batch of Arrow is a stream too, and is decoded as a whole. The next one is opened if memory has room
//!   for it beside those that are open (`schedule`). Without room, workers share the open ones.
//! - A record that is longer than `--max-record` is skipped. Chunks are the same as without the limit, so a run can
//!   resume with another one.
//! - A file that cannot be opened for its records (`unopened`) is a chunk with one bad record.

mod chunk;
mod columns;
mod decode;
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
mod scan;
mod schedule;
mod suspect_quotes;
pub(crate) mod table;
pub(crate) mod tar;
pub(crate) mod unopened;
mod warc;

use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(feature = "parquet")]
pub use self::rows::{as_texts, is_uuid, joined_texts, ranks_of, text_of_uuid, texts_of_uuids};
pub use self::warc::{WarcResponse, WarcResponses, decoded_body};
use self::{
    chunk::content::ChunkContent,
    scan::Pass,
    schedule::{Schedule, WorkerStep},
};
pub use self::{
    chunk::{Chunk, Scratch, id::ChunkId},
    loaded::Loaded,
    rows::{IntegerType, is_decoding},
    scan::Scan,
    suspect_quotes::{SuspectQuotes, SuspectRecords},
};
pub(crate) use self::{loaded::Body, warc::Archive};
use crate::{Error, Fields, Inputs};

/// The size of a chunk in bytes. A chunk of some hundred documents makes the cost of system calls and locks small for each
/// document. It is also small enough for the cache of a core, and lets every worker have a share of a file of some megabytes.
const CHUNK_BYTES: usize = 1 << 20;

/// One scan of the inputs, shared by all workers.
#[derive(Debug)]
pub struct Reader<'a> {
    pass: Pass<'a>,
    schedule: Mutex<Schedule>,
}

impl<'a> Reader<'a> {
    /// Starts a scan. Each file is opened when its turn comes.
    pub fn new(inputs: &'a Inputs, fields: &'a Fields, scan: Scan) -> Reader<'a> {
        Reader::with_chunk_bytes(inputs, fields, scan, CHUNK_BYTES)
    }

    /// Starts a scan with chunks of about this many bytes. It returns the same documents, in other chunks and at other places.
    pub fn with_chunk_bytes(
        inputs: &'a Inputs,
        fields: &'a Fields,
        scan: Scan,
        chunk_bytes: usize,
    ) -> Reader<'a> {
        let first_file = if scan == Scan::RecordsInOrder { inputs.against() } else { 0 };
        let against_fields = inputs.against_fields().of(fields);
        let pass = Pass { inputs, fields, against_fields, scan, chunk_bytes };
        Reader { pass, schedule: Mutex::new(Schedule::from_file(first_file)) }
    }

    /// The next chunk for the calling worker; `None` at the end of the scan.
    ///
    /// The chunks of a file come in order. The chunks of different files do so only if the scan is in order. This
    /// call is cheap for plain files, and decodes the chunk of a stream.
    ///
    /// # Errors
    /// [`Error`] if a file cannot be read, or has changed since it was resolved. A file with unusable contents, or without the
    /// text column, is a chunk with one bad record.
    pub fn next(&self) -> Result<Option<Chunk<'_>>, Error> {
        loop {
            let step = self.lock_schedule().step(&self.pass)?;
            match step {
                WorkerStep::Chunk { id, turn, content } => return Ok(Some(self.chunk(id, turn, content))),
                WorkerStep::Streams { streams, may_open } => {
                    let idle = streams.iter().find_map(|stream| Some((stream, stream.try_lock()?)));
                    let (stream, mut decoding) = match idle {
                        Some(idle) => idle,
                        None if may_open => {
                            self.lock_schedule().open_next(&self.pass)?;
                            continue;
                        }
                        None => (&streams[0], streams[0].lock()),
                    };
                    match decoding.next(&self.pass)? {
                        Some((id, content)) if self.lock_schedule().wants(id) => {
                            let turn = self.lock_schedule().turn();
                            return Ok(Some(self.chunk(id, turn, content)));
                        }
                        _ => self.lock_schedule().forget(stream),
                    }
                }
                WorkerStep::Done => return Ok(None),
            }
        }
    }

    /// Ends the scan after this chunk: those before it are still returned, and later ones no more. Of several such chunks, the first one counts.
    pub fn end_after(&self, chunk: ChunkId) {
        self.lock_schedule().end_after(chunk);
    }

    fn chunk(&self, id: ChunkId, turn: u64, content: ChunkContent) -> Chunk<'_> {
        let Pass { inputs, scan, .. } = self.pass;
        Chunk { id, turn, content, inputs, fields: self.pass.fields_of(id.file), scan }
    }

    fn lock_schedule(&self) -> MutexGuard<'_, Schedule> {
        // A worker that panicked between two steps has left the schedule as it was before its step.
        self.schedule.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
