//! The rows of a source in memory that make a chunk.

use std::{fmt, ops::Range};

use crate::{
    Error, Fields, InputFile,
    memory::Memory,
    read::{
        loaded::Body,
        memory::{texts::TextRows, wanted::WantedRows},
        rows::RowBatch,
    },
};

/// Rows that make a chunk.
pub(in crate::read) struct MemoryPart {
    pub(in crate::read) rows: PartRows,
    /// The bytes of their texts.
    pub(in crate::read) bytes: u64,
}

pub(in crate::read) enum PartRows {
    /// Rows of [`Texts`](crate::Texts).
    Texts(WantedRows),
    Batch(RowBatch),
}

impl MemoryPart {
    /// Texts of rows outside the `wanted` ranges of offsets are not read.
    pub(in crate::read) fn keep_only(&mut self, wanted: impl Iterator<Item = Range<u32>>) {
        if let PartRows::Texts(rows) = &mut self.rows {
            rows.keep_only(wanted);
        }
    }

    /// The records of the rows, which are from `source`. `buffer` is for texts that have to be converted.
    ///
    /// # Errors
    /// [`Error::UnreadableText`].
    pub(in crate::read) fn load<'s>(
        self,
        source: &'s InputFile,
        fields: &'s Fields,
        max_record: u64,
        buffer: &'s mut Vec<u8>,
    ) -> Result<Body<'s>, Error> {
        match (self.rows, source.memory()) {
            (PartRows::Texts(rows), Some(Memory::Texts(texts))) => {
                let loaded = TextRows::load(&**texts, rows, fields, max_record, buffer);
                let unreadable = |reason| Error::UnreadableText { name: source.name.clone(), source: reason };
                Ok(Body::Texts(loaded.map_err(unreadable)?))
            }
            (PartRows::Batch(batch), _) => Ok(Body::of_rows(batch.rows, fields, max_record)),
            (PartRows::Texts(_), _) => Ok(Body::Nothing),
        }
    }
}

impl fmt::Debug for MemoryPart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("MemoryPart").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}
