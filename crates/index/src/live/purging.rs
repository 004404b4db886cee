//! Removed documents whose text is to be gone from the disk, and is not yet.

use super::SharedIndex;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{MutexGuard, PoisonError};

impl SharedIndex {
    fn purging(&self) -> MutexGuard<'_, BTreeSet<u64>> {
        self.purging.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note that these documents are removed, and that their texts are to be gone.
    pub(super) fn add_purging(&self, numbers: impl IntoIterator<Item = u64>) {
        self.purging().extend(numbers);
    }

    /// The documents of `numbers` whose texts are to be gone.
    pub(super) fn purging_in(&self, numbers: &Range<u64>) -> Vec<u64> {
        self.purging().range(numbers.clone()).copied().collect()
    }

    pub(super) fn has_purging(&self) -> bool {
        !self.purging().is_empty()
    }

    /// Whether a file of the log that has one of these documents cannot be rewritten yet: it grows, or runs do not cover it.
    pub(super) fn is_log_to_end_for(&self, numbers: &[u64]) -> bool {
        let manifest = self.manifest();
        let end = |number: u64| manifest.log.iter().find(|file| file.first > number).map(|file| file.start);
        numbers.iter().any(|&number| end(number).is_none_or(|end| end > manifest.covered.place))
    }

    /// All documents whose texts are to be gone.
    pub(super) fn all_purging(&self) -> Vec<u64> {
        self.purging().iter().copied().collect()
    }

    /// Takes note that the texts of these documents are gone.
    pub(super) fn forget_purging(&self, numbers: &[u64]) {
        let mut purging = self.purging();
        purging.retain(|number| !numbers.contains(number));
    }
}
