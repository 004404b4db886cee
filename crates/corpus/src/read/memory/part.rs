//! The rows of a source in memory that make a chunk.

use std::{fmt, ops::Range};

use crate::{
    Error, Fields, InputFile,
    memory::Memory,
    read::{
        loaded::Body,
        memory::texts::TextRows,
        rows::{Batch, Rows},
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
    Batch(Batch),
}

/// Rows of texts, and which of them are read.
#[derive(Debug)]
pub(in crate::read) struct WantedRows {
    /// The rows of the chunk.
    pub(in crate::read) all: Range<usize>,
    /// The places of the wanted ones among them, in ascending order. `None` if all are wanted.
    offsets: Option<Vec<usize>>,
}

impl WantedRows {
    pub(in crate::read) fn all(rows: Range<usize>) -> WantedRows {
        WantedRows { all: rows, offsets: None }
    }

    /// The numbers of the wanted rows.
    pub(in crate::read) fn numbers(&self) -> Vec<usize> {
        match &self.offsets {
            Some(offsets) => offsets.iter().map(|offset| self.all.start + offset).collect(),
            None => self.all.clone().collect(),
        }
    }

    /// The place of a row among the wanted ones, if it is one.
    pub(in crate::read) fn index(&self, offset: usize) -> Option<usize> {
        self.offsets.as_ref().map_or(Some(offset), |offsets| offsets.binary_search(&offset).ok())
    }
}

impl MemoryPart {
    /// Texts of rows outside the `wanted` ranges of offsets are not read.
    pub(in crate::read) fn keep_only(&mut self, wanted: impl Iterator<Item = Range<u32>>) {
        if let PartRows::Texts(rows) = &mut self.rows {
            let count = rows.all.len();
            let offsets = wanted.flat_map(|range| range.start as usize..count.min(range.end as usize));
            rows.offsets = Some(offsets.collect());
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
            (PartRows::Batch(batch), _) => {
                Ok(Body::of_rows(batch.rows.and_then(|rows| Rows::new(rows, fields, max_record))))
            }
            (PartRows::Texts(_), _) => Ok(Body::Nothing),
        }
    }
}

impl fmt::Debug for MemoryPart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("MemoryPart").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}
