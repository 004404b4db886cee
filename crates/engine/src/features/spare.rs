//! Memory of features that are not needed any more, for new ones. To touch new memory takes longer than to fill it.

use super::{Features, ROOM};
use lookalike_store::Column;
use std::sync::{Mutex, PoisonError};

/// Pieces of memory with room for features.
#[derive(Default)]
pub(super) struct Spare(Mutex<Vec<Vec<u64>>>);

impl Spare {
    /// The memory of these features.
    pub(super) fn of(features: Features) -> Self {
        let pieces = features.arenas.into_iter().filter_map(|(values, _)| match values {
            Column::Memory(values) => Some(values),
            Column::Disk(_) => None,
        });
        Spare(Mutex::new(pieces.collect()))
    }

    /// A piece of memory, which is a new one if there is no other.
    pub(super) fn take(&self) -> Vec<u64> {
        let spare = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut values = spare.unwrap_or_else(|| Vec::with_capacity(ROOM));
        values.clear();
        values
    }
}
