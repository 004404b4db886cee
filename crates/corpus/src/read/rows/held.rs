//! Batches in memory, handed out as slices of them.

use arrow_array::RecordBatch;

use super::{BatchRows, RowBatch, values::check_texts};
use crate::{
    Fields, Problem,
    memory::{Batches, Lengths},
    read::{memory::cut::cut, scan::Scan},
};

/// The rows of batches that are not handed out yet.
pub(crate) struct HeldRows {
    batches: Batches,
    /// The batch that is being handed out, and the lengths of its texts.
    current: Option<(usize, Lengths)>,
    next_batch: usize,
    next_row: usize,
}

impl HeldRows {
    /// # Errors
    /// [`Problem::MissingColumn`] or [`Problem::ColumnType`] if there is no text.
    pub(crate) fn open(batches: &Batches, fields: &Fields, scan: Scan) -> Result<HeldRows, Problem> {
        for batch in batches.all() {
            let schema = batch.schema_ref();
            check_texts(schema.fields(), fields, scan)?;
        }
        Ok(HeldRows { batches: batches.clone(), current: None, next_batch: 0, next_row: 0 })
    }

    /// The next rows, of one batch, and how many bytes their texts have.
    pub(crate) fn next(&mut self, chunk_bytes: u64) -> Option<(RowBatch, u64)> {
        loop {
            let batch: &RecordBatch = self.batches.all().get(self.next_batch)?;
            let lengths = match &self.current {
                Some((index, lengths)) if *index == self.next_batch => lengths,
                _ => &self.current.insert((self.next_batch, Lengths::of(batch))).1,
            };
            if let Some((rows, bytes)) =
                cut(self.next_row..batch.num_rows(), chunk_bytes, |row| lengths.at(row))
            {
                self.next_row = rows.end;
                let rows = batch.slice(rows.start, rows.len());
                return Some((RowBatch { rows: Some(BatchRows::Wanted(rows)), broken: None }, bytes));
            }
            (self.next_batch, self.next_row) = (self.next_batch + 1, 0);
        }
    }
}
