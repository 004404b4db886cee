//! The contents of a chunk before it is loaded.

use std::{ops::Range, sync::Arc};

use crate::{
    Problem,
    opened::Opened,
    read::{
        chunk::passed::Passed, memory::part::MemoryPart, rows::RowBatch, table::WantedColumns, tar::Samples,
        warc::Records,
    },
};

/// The contents of a chunk.
#[derive(Debug)]
pub(in crate::read) enum ChunkContent {
    /// The lines that start in a range of a plain file.
    Range { file: Opened, file_length: u64, range: Range<u64> },
    /// Lines of a compressed file.
    Lines(Decoded),
    /// Elements of a JSON array.
    Elements(Decoded),
    /// Records of a CSV or TSV file.
    Table { decoded: Decoded, columns: Arc<WantedColumns> },
    /// Rows of a Parquet file.
    Rows(RowBatch),
    /// Records of a WARC file.
    Records(Records),
    /// Samples of a tar archive.
    Samples(Samples),
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
