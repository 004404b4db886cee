//! The rows of a source in memory that make a chunk.

use std::{fmt, ops::Range, sync::Arc};

use crate::{Texts, read::rows::Batch};

/// Rows that make a chunk.
pub(in crate::read) struct MemoryPart {
    pub(in crate::read) rows: PartRows,
    /// The bytes of their texts.
    pub(in crate::read) bytes: u64,
}

pub(in crate::read) enum PartRows {
    Texts(Arc<dyn Texts>, Range<usize>),
    Batch(Batch),
}

impl fmt::Debug for MemoryPart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("MemoryPart").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}
