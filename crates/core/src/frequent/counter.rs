//! Counts the features that more than a share of the documents have, in much less memory than all features take.
//!
//! The documents are counted in batches. A feature that more than a share of all documents have, more than this share of some batch
//! has: it is a *suspect*. If there was one batch only, its counts are those of the corpus. Otherwise a second pass counts the suspects in
//! all documents. The result does not depend on how documents are put into batches.
//!
//! A batch adds as many suspects as a document has features, divided by the share, at most. In a corpus that is sorted by site, each site
//! adds its own. A batch is therefore four times as large as all suspects, so that both grow with the square root of the corpus.

use super::{FrequentFeatures, checked_share};
use crate::error::PlanError;
use crate::simhash::{DocumentFrequencies, FeatureCounts};
use std::cmp::Reverse;

/// Features of a batch, if there are few suspects. Their table takes 3 MB, which a cache holds.
const BATCH_FEATURES: usize = 1 << 17;

/// A batch ends only when its share is this many documents. With fewer, chance makes suspects.
const BATCH_DOCUMENTS: f64 = 10.0;

/// Finds the features that may be frequent. Several workers can count separately and merge.
#[derive(Clone, Debug)]
pub struct FrequentCounter {
    share: f64,
    /// Documents with features, in all batches.
    documents: u64,
    batch_documents: u64,
    batch: FeatureCounts,
    suspects: FeatureCounts,
    batches: u64,
}

/// What the first pass knows.
#[derive(Clone, Debug)]
pub enum FirstPass {
    /// All: there was one batch.
    Counted(FrequentCounts),
    /// The suspects, which a second pass counts.
    Suspects(SuspectCounter),
}

/// Counts suspects in all documents. Workers count in clones, and merge.
#[derive(Clone, Debug)]
pub struct SuspectCounter {
    share: f64,
    documents: u64,
    /// One more than the documents of each suspect, as a table has no count of 0.
    counts: FeatureCounts,
    /// The suspects of a document.
    found: Vec<u64>,
}

/// The features that more than a share of the documents have, with the number of documents of each.
#[derive(Clone, Debug, PartialEq)]
pub struct FrequentCounts {
    /// The share of the documents.
    pub share: f64,
    /// The documents with features.
    pub documents: u64,
    /// Each frequent feature with its number of documents, the most frequent first.
    pub frequent: Vec<(u64, u32)>,
}

impl FrequentCounter {
    /// Counts nothing yet.
    ///
    /// # Errors
    /// [`PlanError::OutOfRange`] unless the share is at least 0.001 and less than 1.
    pub fn new(share: f64) -> Result<Self, PlanError> {
        let empty = || FeatureCounts::with_room_for(0);
        let (batch, suspects) = (empty(), empty());
        Ok(FrequentCounter {
            share: checked_share(share)?,
            documents: 0,
            batch_documents: 0,
            batch,
            suspects,
            batches: 0,
        })
    }

    /// Counts one document by its distinct features. One without features does not count.
    pub fn push(&mut self, distinct: &[u64]) {
        self.push_in_batches_of(distinct, BATCH_FEATURES);
    }

    fn push_in_batches_of(&mut self, distinct: &[u64], features: usize) {
        if distinct.is_empty() {
            return;
        }
        self.documents += 1;
        self.batch_documents += 1;
        add(&mut self.batch, distinct.iter().map(|&feature| (feature, 1)));
        let features = features.max(4 * self.suspects.len());
        if self.batch.len() > features && self.batch_documents as f64 * self.share >= BATCH_DOCUMENTS {
            self.end_batch();
        }
    }

    /// Adds the counts of `other`, which must be of other documents.
    pub fn merge(&mut self, other: FrequentCounter) {
        self.documents += other.documents;
        self.batch_documents += other.batch_documents;
        self.batches += other.batches;
        self.batch.reserve(other.batch.len());
        add(&mut self.batch, other.batch.iter());
        self.suspects.reserve(other.suspects.len());
        other.suspects.iter().for_each(|(feature, _)| mark(&mut self.suspects, feature));
    }

    /// Ends the first pass.
    pub fn finish(mut self) -> FirstPass {
        if self.batches == 0 {
            return FirstPass::Counted(FrequentCounts::new(self.share, self.documents, self.batch.iter()));
        }
        self.end_batch();
        FirstPass::Suspects(SuspectCounter {
            share: self.share,
            documents: 0,
            counts: self.suspects,
            found: Vec::new(),
        })
    }

    fn end_batch(&mut self) {
        let FrequentCounter { batch, suspects, .. } = self;
        let (share, all) = (self.share, self.batch_documents);
        let frequent = batch.iter().filter(|&(_, documents)| is_more(documents, share, all));
        suspects.reserve(frequent.clone().count());
        frequent.for_each(|(feature, _)| mark(suspects, feature));
        batch.reset(BATCH_FEATURES);
        (self.batch_documents, self.batches) = (0, self.batches + 1);
    }
}

impl SuspectCounter {
    /// Counts one document by its features, which may repeat. One without features does not count.
    pub fn push(&mut self, features: &[u64]) {
        self.documents += u64::from(!features.is_empty());
        self.found.clear();
        self.found.extend(features.iter().filter(|&&feature| self.counts.count(feature) > 0));
        self.found.sort_unstable();
        self.found.dedup();
        for &feature in &self.found {
            let slot = self.counts.slot(feature);
            *self.counts.at(slot) += 1;
        }
    }

    /// Adds the counts of `other`, a clone that counted other documents.
    pub fn merge(&mut self, other: &SuspectCounter) {
        self.documents += other.documents;
        add(&mut self.counts, other.counts.iter().map(|(feature, count)| (feature, count - 1)));
    }

    /// Ends the second pass.
    pub fn finish(self) -> FrequentCounts {
        let counted = self.counts.iter().map(|(feature, count)| (feature, count - 1));
        FrequentCounts::new(self.share, self.documents, counted)
    }
}

impl FrequentCounts {
    fn new(share: f64, documents: u64, counted: impl Iterator<Item = (u64, u32)>) -> Self {
        let mut frequent: Vec<(u64, u32)> =
            counted.filter(|&(_, count)| is_more(count, share, documents)).collect();
        // Spark has features as numbers with a sign.
        frequent.sort_unstable_by_key(|&(feature, count)| (Reverse(count), feature as i64));
        FrequentCounts { share, documents, frequent }
    }

    /// The features that more than `share` of the documents of `table` have.
    ///
    /// # Errors
    /// [`PlanError::OutOfRange`] unless the share is at least 0.001 and less than 1. [`PlanError::PrunedFrequencies`] if the table leaves out
    /// features that may have this share.
    pub fn of_table(share: f64, table: &DocumentFrequencies) -> Result<Self, PlanError> {
        let (documents, minimum) = (table.documents(), table.minimum());
        if is_more(minimum - 1, checked_share(share)?, documents) {
            return Err(PlanError::PrunedFrequencies { minimum, documents });
        }
        Ok(FrequentCounts::new(share, documents, table.counts.iter()))
    }

    /// The features, without their numbers of documents.
    ///
    /// # Errors
    /// [`PlanError::OutOfRange`] if the share is out of its range.
    pub fn features(&self) -> Result<FrequentFeatures, PlanError> {
        FrequentFeatures::new(self.share, self.frequent.iter().map(|&(feature, _)| feature).collect())
    }
}

/// Whether `count` is more than a `share` of `documents`. The share counts as it is typed, in billionths: 0.29 of 100 is 29, and by the numbers of a
/// computer a little less.
fn is_more(count: u32, share: f64, documents: u64) -> bool {
    let billionths = (share * 1e9).round() as u128;
    u128::from(count) * 1_000_000_000 > billionths * u128::from(documents)
}

/// Makes `feature` a suspect, which no document has been counted for yet.
fn mark(suspects: &mut FeatureCounts, feature: u64) {
    let slot = suspects.slot(feature);
    *suspects.at(slot) = 1;
}

fn add(counts: &mut FeatureCounts, more: impl Iterator<Item = (u64, u32)>) {
    for (feature, more) in more {
        if more > 0 {
            let slot = counts.slot(feature);
            let count = counts.at(slot);
            *count = count.saturating_add(more);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::SplitMix64;
    use std::collections::{BTreeMap, BTreeSet};

    /// Documents of a theme each, as sorted corpora have them, with banners that all have.
    fn documents(generator: &mut SplitMix64, count: u64) -> Vec<Vec<u64>> {
        let document = |number: u64, generator: &mut SplitMix64| {
            let theme = number * 8 / count;
            let words = generator.next() % 40;
            let words: BTreeSet<u64> = (0..words).map(|_| theme * 1000 + generator.next() % 60).collect();
            let banner = generator.next() % 6;
            words.into_iter().chain((0..banner).map(|word| 1_000_000 + word)).collect()
        };
        (0..count).map(|number| document(number, generator)).collect()
    }

    #[test]
    fn any_batches_and_workers_give_the_counts_of_a_map() {
        let mut generator = SplitMix64(3);
        for (count, share) in [(40, 0.001), (9000, 0.02), (3000, 0.1), (3000, 0.4), (0, 0.5)] {
            let documents = documents(&mut generator, count);
            let with_features = documents.iter().filter(|document| !document.is_empty()).count() as u64;
            let mut map: BTreeMap<u64, u32> = BTreeMap::new();
            documents.iter().flatten().for_each(|&feature| *map.entry(feature).or_default() += 1);
            map.retain(|_, documents| {
                f64::from(*documents) > (share * with_features as f64 * 1e6).round() / 1e6
            });
            let mut second_passes = 0;
            for (workers, features) in [(1, usize::MAX), (1, 10), (3, 10), (4, 100)] {
                let part = |worker: usize| documents.iter().skip(worker).step_by(workers);
                let mut counter = FrequentCounter::new(share).unwrap();
                for worker in 0..workers {
                    let mut of_worker = FrequentCounter::new(share).unwrap();
                    part(worker).for_each(|document| of_worker.push_in_batches_of(document, features));
                    counter.merge(of_worker);
                }
                let counts = match counter.finish() {
                    FirstPass::Counted(counts) => counts,
                    FirstPass::Suspects(mut suspects) => {
                        second_passes += 1;
                        let clones: Vec<SuspectCounter> = (0..workers)
                            .map(|worker| {
                                let mut of_worker = suspects.clone();
                                part(worker)
                                    .for_each(|document| of_worker.push(&[&document[..], document].concat()));
                                of_worker
                            })
                            .collect();
                        clones.iter().for_each(|clone| suspects.merge(clone));
                        suspects.finish()
                    }
                };
                assert_eq!(counts.documents, with_features);
                assert_eq!(counts.frequent.iter().copied().collect::<BTreeMap<u64, u32>>(), map);
                assert!(
                    counts.frequent.is_sorted_by_key(|&(feature, count)| (Reverse(count), feature as i64))
                );
            }
            assert_eq!(second_passes > 0, count > 1000);
        }
    }

    #[test]
    fn a_table_gives_what_more_than_a_share_of_its_documents_have() {
        let mut table = DocumentFrequencies::new(0);
        [&[1, 2, 3][..], &[2, 3], &[3], &[4], &[]].iter().for_each(|features| table.push(features));
        let frequent = |share| FrequentCounts::of_table(share, &table).unwrap().frequent;
        assert_eq!(
            (frequent(0.75), frequent(0.5), frequent(0.49)),
            (vec![], vec![(3, 3)], vec![(3, 3), (2, 2)])
        );
        let pruned = table.clone().pruned(3);
        assert_eq!(FrequentCounts::of_table(0.6, &pruned).unwrap().frequent, [(3, 3)]);
        let error = FrequentCounts::of_table(0.3, &pruned).unwrap_err();
        assert_eq!(error, PlanError::PrunedFrequencies { minimum: 3, documents: 4 });
        for share in [0.0, 1.0, -1.0, f64::NAN] {
            let error = FrequentCounts::of_table(share, &table).unwrap_err().to_string();
            assert_eq!(error, format!("drop_frequent is {share}; it must be at least 0.001 and less than 1"));
        }
    }

    /// By the numbers of a computer 0.7 · 40 = 28 and 0.7 · 50 = 35, but 0.7 · 90 is less than 63, and 0.29 · 100 less than 29.
    #[test]
    fn a_feature_of_exactly_the_share_is_not_frequent() {
        assert_eq!([28, 29, 30].map(|count| is_more(count, 0.29, 100)), [false, false, true]);
        assert!(
            !is_more(63, 0.7, 90) && is_more(64, 0.7, 90) && is_more(u32::MAX, 0.999, u64::from(u32::MAX))
        );
    }
}
