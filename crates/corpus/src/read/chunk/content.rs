//! The contents of a chunk before it is loaded.

use std::{ops::Range, sync::Arc};

use crate::{
    Problem,
    opened::Opened,
    read::{memory::part::MemoryPart, rows::Batch, table::Columns, warc::Records},
};

/// The number of a chunk, which is the same in every scan. In this order, chunks have their documents in input order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkId {
    /// The index of the file in [`Inputs::files`](crate::Inputs::files). For a batch of files, the first one.
    pub file: u32,
    /// The place among the chunks of the file, counted from 0.
    pub sequence: u32,
}

/// The contents of a chunk.
#[derive(Debug)]
pub(in crate::read) enum Content {
    /// The lines that start in a range of a plain file.
    Range { file: Opened, file_length: u64, range: Range<u64> },
    /// Lines of a compressed file.
    Lines(Decoded),
    /// Elements of a JSON array.
    Elements(Decoded),
    /// Records of a CSV or TSV file.
    Table { decoded: Decoded, columns: Arc<Columns> },
    /// Rows of a Parquet file.
    Rows(Batch),
    /// Records of a WARC file.
    Records(Records),
    /// Files that are one document each, by their indices.
    Files(Range<usize>),
    /// Rows of a source in memory.
    Memory(MemoryPart),
    /// The reason why the file has no records.
    Unusable(Problem),
}

/// Decoded bytes of a stream.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub(in crate::read) bytes: Vec<u8>,
    /// The record behind these bytes, if it was too long to keep.
    pub(in crate::read) passed: Option<Passed>,
    /// The reason why the stream ends here, if this is not the end of the file.
    pub(in crate::read) broken: Option<Problem>,
}

/// A record that was skipped because it was too long to keep.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Passed {
    pub(in crate::read) length: u64,
    /// The number of its lines.
    pub(in crate::read) lines: u32,
}
