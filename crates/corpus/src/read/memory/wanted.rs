//! The rows of a chunk of texts that are read.

use std::ops::Range;

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

    /// Rows outside the `wanted` ranges of offsets are not wanted.
    pub(in crate::read) fn keep_only(&mut self, wanted: impl Iterator<Item = Range<u32>>) {
        let count = self.all.len();
        let offsets = wanted.flat_map(|range| range.start as usize..count.min(range.end as usize));
        self.offsets = Some(offsets.collect());
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
