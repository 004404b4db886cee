//! A table of counts by feature: a hash table with open addressing, twelve bytes a slot.

use crate::hash::GOLDEN_RATIO;

/// Features, each with a count above zero.
///
/// A slot with a count of zero is free, so any feature can be a key. A feature is in the first free slot from the one
/// that its product with the golden ratio chooses. The product helps with features from other programs, which may have
/// poor top bits.
#[derive(Clone, Debug)]
pub(crate) struct FeatureCounts {
    features: Vec<u64>,
    counts: Vec<u32>,
    shift: u32,
    len: usize,
}

/// Features looked up together: enough that their cache misses overlap fully.
const BATCH: usize = 64;

impl FeatureCounts {
    /// An empty table with room for `features` features.
    pub(crate) fn with_room_for(features: usize) -> Self {
        let mut counts = FeatureCounts { features: Vec::new(), counts: Vec::new(), shift: 0, len: 0 };
        counts.reset(features);
        counts
    }

    /// Empties the table and makes room for `features` features.
    pub(crate) fn reset(&mut self, features: usize) {
        // At most half full, so that a search reads one and a half slots on average.
        let slots = (features * 2).next_power_of_two().max(16);
        self.counts.clear();
        self.counts.resize(slots, 0);
        // The features of free slots do not matter.
        self.features.resize(slots.max(self.features.len()), 0);
        self.shift = 64 - slots.ilog2();
        self.len = 0;
    }

    /// Makes room for `more` further features. The table is then at most half full.
    ///
    /// This is needed before features are added from another table in the order of its slots. The first of them belong
    /// to the same part of this table. They would pile up there long before the table is full enough to grow.
    pub(crate) fn reserve(&mut self, more: usize) {
        let features = self.len + more;
        if features * 2 > self.counts.len() {
            self.resize(features);
        }
    }

    /// The number of different features.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The count of `feature`, or 0 if the table does not have it.
    pub(crate) fn count(&self, feature: u64) -> u32 {
        self.counts[self.find(feature)]
    }

    /// The slot of `feature`, for use with [`FeatureCounts::at`]. For a new feature, the caller must set the count.
    #[inline(always)]
    pub(crate) fn slot(&mut self, feature: u64) -> usize {
        let slot = self.find(feature);
        if self.counts[slot] != 0 {
            return slot;
        }
        // A table that grows may become fuller than one of known size, as it may be as large as a corpus.
        if (self.len + 1) * 4 > self.counts.len() * 3 {
            self.resize(self.counts.len());
            return self.slot(feature);
        }
        self.features[slot] = feature;
        self.len += 1;
        slot
    }

    /// The count in `slot`.
    #[inline(always)]
    pub(crate) fn at(&mut self, slot: usize) -> &mut u32 {
        &mut self.counts[slot]
    }

    /// The feature and the count in `slot`.
    #[inline(always)]
    pub(crate) fn entry(&self, slot: usize) -> (u64, u32) {
        (self.features[slot], self.counts[slot])
    }

    /// Fills `counts` with the counts of `features`, with 0 for features that the table does not have.
    ///
    /// In a large table, nearly every feature is a cache miss. All slots of a batch are therefore read first, without
    /// waiting for each other. The results are checked afterwards.
    pub(crate) fn look_up(&self, features: &[u64], counts: &mut Vec<u32>) {
        counts.clear();
        counts.reserve(features.len());
        for stretch in features.chunks(BATCH) {
            let mut found = [(0, 0); BATCH];
            for (found, &feature) in found.iter_mut().zip(stretch) {
                *found = self.entry(self.first_slot(feature));
            }
            counts.extend(found.iter().zip(stretch).map(|(&(found, count), &feature)| {
                // If another feature is in the slot, the search continues.
                if count != 0 && found != feature { self.count(feature) } else { count }
            }));
        }
    }

    /// Every feature and its count, in no particular order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, u32)> + Clone {
        self.features.iter().copied().zip(self.counts.iter().copied()).filter(|&(_, count)| count != 0)
    }

    #[inline(always)]
    fn first_slot(&self, feature: u64) -> usize {
        (feature.wrapping_mul(GOLDEN_RATIO) >> self.shift) as usize
    }

    #[inline(always)]
    fn find(&self, feature: u64) -> usize {
        let mask = self.counts.len() - 1;
        let mut slot = self.first_slot(feature);
        while self.counts[slot] != 0 && self.features[slot] != feature {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Moves everything to a table with room for `features` features.
    #[cold]
    fn resize(&mut self, features: usize) {
        let mut larger = FeatureCounts::with_room_for(features);
        for (feature, count) in self.iter() {
            let slot = larger.slot(feature);
            *larger.at(slot) = count;
        }
        *self = larger;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::SplitMix64;
    use std::collections::BTreeMap;

    #[test]
    fn counts_equal_those_of_a_map() {
        let mut generator = SplitMix64(5);
        for mask in [u64::MAX, 0xff, 0xff << 56, 0x3ff << 20] {
            let (mut counts, mut map) = (FeatureCounts::with_room_for(0), BTreeMap::new());
            for _ in 0..3000 {
                let feature = generator.next() & mask;
                let slot = counts.slot(feature);
                *counts.at(slot) += 1;
                *map.entry(feature).or_insert(0) += 1;
            }
            assert_eq!(counts.len(), map.len());
            assert_eq!(counts.iter().collect::<BTreeMap<u64, u32>>(), map);
            let asked: Vec<u64> = (0..200).map(|_| generator.next() & mask).chain([1 << 40, 0]).collect();
            let mut answers = Vec::new();
            counts.look_up(&asked, &mut answers);
            let expected: Vec<u32> =
                asked.iter().map(|feature| map.get(feature).copied().unwrap_or(0)).collect();
            assert_eq!(answers, expected);
        }
    }
}
