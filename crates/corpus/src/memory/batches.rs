use std::sync::Arc;

use arrow_array::RecordBatch;

use super::Lengths;

/// Batches of Arrow, of any lengths; clones share them.
#[derive(Clone)]
pub(crate) struct Batches(Arc<[RecordBatch]>);

impl Batches {
    pub(crate) fn new(batches: Vec<RecordBatch>) -> Batches {
        Batches(batches.into())
    }

    pub(crate) fn all(&self) -> &[RecordBatch] {
        &self.0
    }

    /// How many bytes of text they hold.
    pub(super) fn bytes(&self) -> u64 {
        self.0.iter().map(|batch| Lengths::of(batch).sum(batch.num_rows())).sum()
    }

    /// The names of their columns.
    pub(super) fn columns(&self) -> Vec<String> {
        let first = self.0.first();
        first.map_or_else(Vec::new, |batch| {
            batch.schema().fields().iter().map(|field| field.name().clone()).collect()
        })
    }
}
