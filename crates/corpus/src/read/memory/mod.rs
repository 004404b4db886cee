//! A source in memory, cut into chunks: the same ones in every scan.

mod texts;

use std::{fmt, ops::Range, sync::Arc};

pub(super) use self::texts::TextRows;
#[cfg(feature = "parquet")]
pub(super) use self::texts::readable;
use super::{
    ChunkId, Scan,
    chunk::Content,
    loaded::Body,
    rows::{Batch, HeldRows, Rows},
};
use crate::{Fields, Problem, Texts, memory::Memory};

/// How many bytes a row counts for beside its texts, so that a chunk of empty ones ends too. JSON takes about as many.
pub(super) const ROW_BYTES: u64 = 16;

/// The rows of a source that are not handed out yet.
#[derive(Debug)]
pub(super) struct MemoryChunks {
    index: u32,
    sequence: u32,
    chunk_bytes: u64,
    rows: Left,
}

enum Left {
    Texts { texts: Arc<dyn Texts>, next: usize },
    Batches(HeldRows),
}

impl fmt::Debug for Left {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Left").finish_non_exhaustive()
    }
}

/// Rows that make a chunk.
pub(super) struct MemoryPart {
    rows: PartRows,
    /// How many bytes of text they have.
    bytes: u64,
}

enum PartRows {
    Texts(Arc<dyn Texts>, Range<usize>),
    Batch(Batch),
}

impl MemoryChunks {
    /// The chunks of the source that is file `index`.
    ///
    /// # Errors
    /// [`Problem::MissingColumn`] or [`Problem::ColumnType`] if there is no text.
    pub(super) fn open(
        memory: &Memory,
        index: u32,
        fields: &Fields,
        scan: Scan,
        chunk_bytes: usize,
    ) -> Result<MemoryChunks, Problem> {
        let rows = match memory {
            Memory::Texts(texts) => Left::Texts { texts: Arc::clone(texts), next: 0 },
            Memory::Batches(batches) => Left::Batches(HeldRows::open(batches, fields, scan)?),
        };
        Ok(MemoryChunks { index, sequence: 0, chunk_bytes: chunk_bytes as u64, rows })
    }

    pub(super) fn next(&mut self) -> Option<(ChunkId, Content)> {
        let part = match &mut self.rows {
            Left::Texts { texts, next } => {
                let length = |row| texts.text(row).map_or(0, |text| text.len() as u64);
                let (rows, bytes) = cut(*next..texts.rows(), self.chunk_bytes, length)?;
                *next = rows.end;
                MemoryPart { rows: PartRows::Texts(Arc::clone(texts), rows), bytes }
            }
            Left::Batches(held) => {
                let (batch, bytes) = held.next(self.chunk_bytes)?;
                MemoryPart { rows: PartRows::Batch(batch), bytes }
            }
        };
        let id = ChunkId { file: self.index, sequence: self.sequence };
        self.sequence += 1;
        Some((id, Content::Memory(part)))
    }
}

impl MemoryPart {
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn into_body(self, fields: &Fields, max_record: u64) -> Body<'_> {
        match self.rows {
            PartRows::Texts(texts, rows) => Body::Texts(TextRows::new(texts, rows, fields, max_record)),
            PartRows::Batch(batch) => {
                let rows = batch.rows.and_then(|rows| Rows::new(rows, fields, max_record));
                rows.map_or(Body::Nothing, |rows| Body::Rows(Box::new(rows)))
            }
        }
    }
}

impl fmt::Debug for MemoryPart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("MemoryPart").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

/// So many of the first rows that they have about `chunk_bytes`, one at least, and how many bytes their texts have; `None` if there is no row.
pub(super) fn cut(
    rows: Range<usize>,
    chunk_bytes: u64,
    length: impl Fn(usize) -> u64,
) -> Option<(Range<usize>, u64)> {
    let (mut end, mut bytes) = (rows.start, 0);
    while end < rows.end {
        let more = length(end);
        let counted = bytes + more + ROW_BYTES * (end + 1 - rows.start) as u64;
        if counted > chunk_bytes && end > rows.start {
            break;
        }
        (bytes, end) = (bytes + more, end + 1);
    }
    (end > rows.start).then_some((rows.start..end, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_in_one_chunk_and_a_long_one_has_its_own() {
        let lengths = [10, 0, 0, 500, 30, 30, 0];
        let (mut next, mut parts) = (0, Vec::new());
        while let Some((rows, bytes)) = cut(next..lengths.len(), 100, |row| lengths[row]) {
            assert_eq!(bytes, lengths[rows.clone()].iter().sum::<u64>());
            next = rows.end;
            parts.push(rows);
        }
        assert_eq!(parts, [0..3, 3..4, 4..6, 6..7]);
        assert_eq!(cut(3..3, 100, |_| 0), None);
    }
}
