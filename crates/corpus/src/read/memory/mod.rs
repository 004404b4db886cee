//! A source in memory, cut into chunks: the same ones in every scan.

pub(super) mod cut;
pub(super) mod part;
pub(super) mod texts;
pub(super) mod wanted;

use std::{fmt, sync::Arc};

use self::{
    cut::cut,
    part::{MemoryPart, PartRows},
    wanted::WantedRows,
};
use super::{
    chunk::{content::ChunkContent, id::ChunkId},
    rows::HeldRows,
    scan::Scan,
};
use crate::{Fields, Problem, Texts, memory::Memory};

/// The rows of a source that are not handed out yet.
#[derive(Debug)]
pub(super) struct MemoryChunks {
    index: u32,
    sequence: u32,
    chunk_bytes: u64,
    rows: LeftRows,
}

enum LeftRows {
    Texts { texts: Arc<dyn Texts>, next: usize },
    Batches(HeldRows),
}

impl fmt::Debug for LeftRows {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("LeftRows").finish_non_exhaustive()
    }
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
            Memory::Texts(texts) => LeftRows::Texts { texts: Arc::clone(texts), next: 0 },
            Memory::Batches(batches) => LeftRows::Batches(HeldRows::open(batches, fields, scan)?),
        };
        Ok(MemoryChunks { index, sequence: 0, chunk_bytes: chunk_bytes as u64, rows })
    }

    pub(super) fn next(&mut self) -> Option<(ChunkId, ChunkContent)> {
        let part = match &mut self.rows {
            LeftRows::Texts { texts, next } => {
                let (rows, bytes) = cut(*next..texts.rows(), self.chunk_bytes, |row| texts.length(row))?;
                *next = rows.end;
                MemoryPart { rows: PartRows::Texts(WantedRows::all(rows)), bytes }
            }
            LeftRows::Batches(held) => {
                let (batch, bytes) = held.next(self.chunk_bytes)?;
                MemoryPart { rows: PartRows::Batch(batch), bytes }
            }
        };
        let id = ChunkId { file: self.index, sequence: self.sequence };
        self.sequence += 1;
        Some((id, ChunkContent::Memory(part)))
    }
}
