//! Document frequencies: the number of documents of a corpus that have each feature.

use super::counts::FeatureCounts;
use super::weights::content_id;
use crate::error::Incompatible;
use std::sync::OnceLock;

/// Document frequencies, counted in one pass over a corpus. Several workers can count separately and merge.
///
/// While counting, the table takes 16 to 32 bytes for each different feature, and half as much again while it grows.
/// Once merged, pruned or read, it takes 24 to 48 bytes. Ten thousand documents of 390 words have 2.5 million different
/// 5-grams. Pruning at 2 leaves a fifth of them. For a corpus that is too large, count a sample, which gives nearly the
/// same weights.
///
/// Fingerprints weighted by a table can be compared only while the table does not change: see
/// [`DocumentFrequencies::id`].
#[derive(Clone, Debug)]
pub struct DocumentFrequencies {
    pub(crate) counts: FeatureCounts,
    pub(super) documents: u64,
    pub(super) plan: u64,
    pub(super) minimum: u32,
    /// See [`DocumentFrequencies::id`]. Empty if it is not known.
    pub(super) id: OnceLock<u64>,
}

impl DocumentFrequencies {
    /// An empty table. `plan` names the way the features are made (tokens, shingle length, seed, feature hash). The
    /// caller chooses this number, and the table keeps and compares it.
    pub fn new(plan: u64) -> Self {
        let (counts, id) = (FeatureCounts::with_room_for(0), OnceLock::new());
        DocumentFrequencies { counts, documents: 0, plan, minimum: 1, id }
    }

    /// Counts one document by its distinct features. A repeated feature would count twice. A document without features does not count: it is
    /// similar to nothing, and would make every feature look rarer.
    pub fn push(&mut self, distinct: &[u64]) {
        self.id.take();
        self.documents += u64::from(!distinct.is_empty());
        for &feature in distinct {
            let slot = self.counts.slot(feature);
            let count = self.counts.at(slot);
            // A feature that a pruned table left out starts from its assumed count.
            *count = (*count).max(self.minimum - 1).saturating_add(1);
        }
    }

    /// Adds the counts of `other`, which must be of other documents.
    ///
    /// # Errors
    /// [`Incompatible`] if different plans made the features, or if one of the tables was pruned, as its omitted counts are not known.
    pub fn merge(&mut self, other: &DocumentFrequencies) -> Result<(), Incompatible> {
        let hex = |id: u64| format!("{id:016x}");
        Incompatible::unless_equal("plan", hex(self.plan), hex(other.plan))?;
        if self.minimum.max(other.minimum) > 1 {
            return Err(Incompatible::new("minimum frequency", self.minimum, other.minimum));
        }
        self.id.take();
        self.documents += other.documents;
        self.counts.reserve(other.counts.len());
        for (feature, more) in other.counts.iter() {
            let slot = self.counts.slot(feature);
            let count = self.counts.at(slot);
            *count = count.saturating_add(more);
        }
        Ok(())
    }

    /// The table without the features that are in fewer than `minimum` documents. Each of these is then assumed to be
    /// in `minimum - 1` documents.
    ///
    /// Most features of any corpus are in one document only. A minimum of 2 removes all of those, and does not change
    /// the weights of any document in the corpus. Only features that the corpus does not have weigh `ln 2` less.
    pub fn pruned(self, minimum: u32) -> Self {
        if minimum <= self.minimum {
            return self;
        }
        let kept = self.counts.iter().filter(|&(_, count)| count >= minimum);
        let mut counts = FeatureCounts::with_room_for(kept.clone().count());
        for (feature, count) in kept {
            let slot = counts.slot(feature);
            *counts.at(slot) = count;
        }
        DocumentFrequencies { counts, minimum, id: OnceLock::new(), ..self }
    }

    /// The number of documents that have `feature`, as far as the table knows.
    ///
    /// It is 0 if there is none. In a pruned table, it is one less than the minimum if there are fewer.
    pub fn frequency(&self, feature: u64) -> u32 {
        self.counts.count(feature).max(self.minimum - 1)
    }

    /// Fills `frequencies` with the frequencies of `features`.
    pub(super) fn look_up(&self, features: &[u64], frequencies: &mut Vec<u32>) {
        self.counts.look_up(features, frequencies);
        frequencies.iter_mut().for_each(|frequency| *frequency = (*frequency).max(self.minimum - 1));
    }

    /// The number of counted documents, which have features.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// Whether no feature has a weight: it was counted in too few documents.
    pub fn is_weightless(&self) -> bool {
        self.documents <= u64::from(self.minimum)
    }

    /// The number of different features in the table.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Features of fewer documents are left out of the table.
    pub fn minimum(&self) -> u32 {
        self.minimum
    }

    /// Whether the table has no feature.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The caller's number for the way the features are made.
    pub fn plan(&self) -> u64 {
        self.plan
    }

    /// Names the content, independent of the order of counting. Two tables with the same id give the same weights.
    /// Takes a pass over the table, once.
    pub fn id(&self) -> u64 {
        let id = || content_id(&[self.plan, self.documents, u64::from(self.minimum)], &self.counts);
        *self.id.get_or_init(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(documents: &[&[u64]]) -> DocumentFrequencies {
        let mut table = DocumentFrequencies::new(7);
        documents.iter().for_each(|distinct| table.push(distinct));
        table
    }

    #[test]
    fn merged_counts_equal_those_of_one_pass() {
        let documents: [&[u64]; 4] = [&[1, 2, 3], &[2, 3], &[], &[3, u64::MAX, 0]];
        let whole = table(&documents);
        let mut merged = table(&documents[2..]);
        merged.merge(&table(&documents[..2])).unwrap();
        assert_eq!(merged.id(), whole.id());
        assert_eq!((whole.documents(), whole.len()), (3, 5));
        assert_eq!([0, 1, 2, 3, 4].map(|feature| merged.frequency(feature)), [1, 1, 2, 3, 0]);
        assert_ne!(table(&documents[..3]).id(), whole.id());
    }

    /// This finishes in time: without room made in advance, features in the order of their slots would pile up.
    #[test]
    fn a_large_table_merges_into_an_empty_one() {
        let features: Vec<u64> = (0..200_000).collect();
        let mut merged = table(&[]);
        merged.merge(&table(&[&features])).unwrap();
        assert_eq!((merged.len(), merged.id()), (200_000, table(&[&features]).id()));
    }

    #[test]
    fn pruning_at_two_changes_no_frequency_of_the_corpus() {
        let whole = table(&[&[1, 2, 3], &[2, 3], &[3, 4]]);
        let pruned = whole.clone().pruned(2);
        assert_eq!(pruned.len(), 2);
        for feature in 1..=4 {
            assert_eq!(pruned.frequency(feature), whole.frequency(feature));
        }
        assert_eq!((pruned.frequency(99), whole.frequency(99)), (1, 0));
        assert_ne!(pruned.id(), whole.id());
    }

    #[test]
    fn a_pruned_table_counts_on_from_what_it_assumes() {
        let mut pruned = table(&[&[1, 2, 3], &[2, 3], &[3, 4]]).pruned(3);
        assert_eq!([1, 2, 3].map(|feature| pruned.frequency(feature)), [2, 2, 3]);
        pruned.push(&[1, 3]);
        assert_eq!([1, 2, 3].map(|feature| pruned.frequency(feature)), [3, 2, 4]);
        assert_eq!(pruned.clone().pruned(2).id(), pruned.id());
    }

    #[test]
    fn incompatible_tables_are_not_merged() {
        let mut whole = table(&[&[1]]);
        let error = whole.merge(&DocumentFrequencies::new(8)).unwrap_err();
        assert_eq!((error.field, error.right.as_str()), ("plan", "0000000000000008"));
        let error = whole.merge(&table(&[&[1]]).pruned(2)).unwrap_err();
        assert_eq!(error.field, "minimum frequency");
        assert_eq!((whole.documents(), whole.len()), (1, 1));
    }
}
