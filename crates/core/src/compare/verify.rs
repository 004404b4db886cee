//! Exact comparison by counting the common features of two sets.
//!
//! # Why results are exact
//!
//! `Comparer` counts the common features of two sets. Its length filter and its early stop leave out only pairs that
//! cannot reach the threshold. Features are 64-bit hashes. The chance that any two of a million different shingles have
//! the same hash is 3 in 10⁸. Copies are recognised by 128 bits and a count.
//!
//! Features are not sorted. One side of a comparison becomes a hash table, made once and used for all its candidates.
//! Sorting every document would cost more and find the same pairs.
//!
//! **Memory that is read in random order is slow too.** A comparison prefetches both documents before it reads the
//! first (`verify`).
//!
//! Not for: choosing what to compare, which is done in `lsh`.

use crate::simd::feature_table::FeatureTable;
use crate::simd::{Level, prefetch};
use crate::similarity::{SLACK, Similarity};

/// The sizes of two feature sets and of their intersection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// Features in both.
    pub common: u32,
    /// Features in the first.
    pub left: u32,
    /// Features in the second.
    pub right: u32,
}

impl Overlap {
    /// |A ∩ B| / |A ∪ B|, or 0 if both are empty.
    pub fn jaccard(self) -> Similarity {
        Similarity::ratio(self.common, self.left + self.right - self.common)
    }

    /// |A ∩ B| / min(|A|, |B|): the share of the smaller set that is in the larger one. 0 if it is empty.
    pub fn containment(self) -> Similarity {
        Similarity::ratio(self.common, self.left.min(self.right))
    }

    /// |A ∩ B| / |A|: the share of the first set that is in the second. 0 if it is empty.
    pub fn containment_of_left(self) -> Similarity {
        Similarity::ratio(self.common, self.left)
    }

    /// |A ∩ B| / |B|: the share of the second set that is in the first. 0 if it is empty.
    pub fn containment_of_right(self) -> Similarity {
        Similarity::ratio(self.common, self.right)
    }
}

/// A hash table of one document's features, for comparison with many others. Reused from document to document.
///
/// A feature's top bits choose a bucket of eight, which one vector instruction compares at once. Buckets hold one and a
/// half to three features on average. In the rare case of a full bucket, the feature goes to an overflow list.
#[derive(Default)]
pub struct Comparer {
    table: FeatureTable,
    level: Level,
}

impl Comparer {
    /// A comparer that uses the instructions of `level`.
    pub fn with_level(level: Level) -> Self {
        Comparer { table: FeatureTable::default(), level }
    }

    /// Moves the distinct features to the front of `features`, in order of first appearance, and returns their number.
    /// The comparer then holds them.
    pub fn distinct(&mut self, features: &mut [u64]) -> usize {
        self.level.distinct(&mut self.table, features)
    }

    /// Holds the set `left`, whose features are distinct, for comparison with others.
    pub fn hold(&mut self, left: &[u64]) {
        prefetch_start(left);
        self.table.clear(left.len());
        for (start, features) in (0..).step_by(LINE).zip(left.chunks(LINE)) {
            prefetch(left, start + AHEAD);
            features.iter().for_each(|&feature| self.table.push(feature));
        }
    }

    /// Counts the features that the held set shares with `right`, whose features are distinct.
    pub fn overlap(&self, right: &[u64]) -> Overlap {
        self.overlap_by(right, self.common(right, 0))
    }

    /// Whether the distinct features `right` have at least the share `least` of the held set. An empty set is contained
    /// only if `least` is 0.
    pub fn is_contained(&self, right: &[u64], least: f64) -> bool {
        let needed = (least * f64::from(self.table.len()) * SLACK) as usize;
        let overlap = self.overlap_of(right, needed);
        overlap.is_some_and(|overlap| overlap.containment_of_left().value() >= least)
    }

    /// Whether the held set has this feature.
    pub fn holds(&self, feature: u64) -> bool {
        self.level.count_common(&self.table, &[feature]) == 1
    }

    /// Like [`Comparer::overlap`], but `None` as soon as the Jaccard similarity cannot reach `threshold`.
    pub(crate) fn overlap_reaching(&self, right: &[u64], threshold: f64) -> Option<Overlap> {
        // J >= t exactly if |A ∩ B| >= t / (1 + t) * (|A| + |B|).
        let sizes = f64::from(self.table.len()) + right.len() as f64;
        let needed = (threshold / (1.0 + threshold) * sizes * SLACK) as usize;
        self.overlap_of(right, needed).filter(|overlap| overlap.jaccard().value() >= threshold)
    }

    /// Like [`Comparer::overlap`], but `None` as soon as `needed` common features cannot be reached.
    pub(crate) fn overlap_of(&self, right: &[u64], needed: usize) -> Option<Overlap> {
        let common = self.common(right, needed);
        (common >= needed).then(|| self.overlap_by(right, common))
    }

    /// The number of features of `right` that the held set has. Counting stops as soon as it cannot reach `needed`.
    fn common(&self, right: &[u64], needed: usize) -> usize {
        prefetch_start(right);
        let mut common = 0;
        let mut left = right.len();
        for (start, stretch) in (0..).step_by(CHECK_EVERY).zip(right.chunks(CHECK_EVERY)) {
            (start..start + CHECK_EVERY).step_by(LINE).for_each(|index| prefetch(right, index + AHEAD));
            common += self.level.count_common(&self.table, stretch);
            left -= stretch.len();
            if common + left < needed {
                break;
            }
        }
        common
    }

    fn overlap_by(&self, right: &[u64], common: usize) -> Overlap {
        Overlap { common: common as u32, left: self.table.len(), right: right.len() as u32 }
    }
}

/// Prefetches the first features of a set. Documents are compared in an order that no cache can predict: without this,
/// half of the time is spent waiting.
pub(crate) fn prefetch_start(features: &[u64]) {
    (0..AHEAD.min(features.len())).step_by(LINE).for_each(|index| prefetch(features, index));
}

/// How many features ahead of use memory is prefetched.
const AHEAD: usize = 128;

/// Features in a cache line.
const LINE: usize = 8;

/// Whether sets of these sizes can reach `threshold`. The Jaccard similarity is at most the smaller size by the larger.
pub(crate) fn sizes_reach(a: usize, b: usize, threshold: f64) -> bool {
    a.min(b) as f64 >= threshold * a.max(b) as f64 * SLACK
}

/// Features between two checks whether the threshold is still in reach.
const CHECK_EVERY: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::SplitMix64;
    use std::collections::BTreeSet;

    #[test]
    fn every_level_counts_as_ordinary_sets_do() {
        let mut generator = SplitMix64(3);
        for level in Level::available() {
            let mut comparer = Comparer::with_level(level);
            for size in [0, 1, 2, 7, 50, 700] {
                // Some masks leave few different top bits, so buckets overflow. Zero is an ordinary feature.
                for mask in [u64::MAX, 0x0300_0000_0000_00ff, 0xff] {
                    let mut draw = || (0..size).map(|_| generator.next() & mask).collect::<Vec<u64>>();
                    let (mut a, mut b) = (draw(), draw());
                    b.extend_from_slice(&a[..size / 2]);
                    let (left, right): (BTreeSet<u64>, BTreeSet<u64>) =
                        (a.iter().copied().collect(), b.iter().copied().collect());
                    let distinct = comparer.distinct(&mut b);
                    b.truncate(distinct);
                    assert_eq!(b.iter().copied().collect::<BTreeSet<_>>(), right);
                    assert_eq!(distinct, right.len());
                    let distinct = comparer.distinct(&mut a);
                    a.truncate(distinct);
                    let expected = Overlap {
                        common: left.intersection(&right).count() as u32,
                        left: left.len() as u32,
                        right: right.len() as u32,
                    };
                    assert_eq!(comparer.overlap(&b), expected);
                    comparer.hold(&a);
                    assert_eq!(comparer.overlap(&b), expected);
                    assert!(b.iter().all(|feature| comparer.holds(*feature) == left.contains(feature)));
                    let share = expected.containment_of_left().value();
                    assert!(comparer.is_contained(&b, share) && !comparer.is_contained(&b, share + 1e-6));
                    let jaccard = expected.jaccard().value();
                    if jaccard > 0.0 {
                        assert_eq!(comparer.overlap_reaching(&b, jaccard), Some(expected));
                        assert_eq!(comparer.overlap_reaching(&b, jaccard + 1e-6), None);
                    }
                }
            }
        }
    }
}
