//! How often is each of these features there? A hash table of open addressing, twelve bytes a slot.

use crate::hash::GOLDEN_RATIO;

/// Features and a count above zero for each.
///
/// A slot whose count is zero is free, so that any feature may be a key. A feature stands in the first free slot from
/// the one that its product with the golden ratio chooses: features that others give may have poor top bits.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    features: Vec<u64>,
    counts: Vec<u32>,
    shift: u32,
    len: usize,
}

/// Features that are looked up together: more cache misses than a core can wait for at once.
const STRETCH: usize = 64;

impl Counts {
    /// An empty table that takes `features` without growing.
    pub(super) fn with_room_for(features: usize) -> Self {
        let mut counts = Counts { features: Vec::new(), counts: Vec::new(), shift: 0, len: 0 };
        counts.reset(features);
        counts
    }

    /// Empties the table and makes room for `features`.
    pub(super) fn reset(&mut self, features: usize) {
        // At most half full: a search then looks at one and a half slots on average.
        let slots = (features * 2).next_power_of_two().max(16);
        self.counts.clear();
        self.counts.resize(slots, 0);
        // What a free slot holds does not matter.
        self.features.resize(slots.max(self.features.len()), 0);
        self.shift = 64 - slots.ilog2();
        self.len = 0;
    }

    /// Makes room for so many more features; the table is then at most half full.
    ///
    /// Needed before the features of another table come in the order of their slots: those that come first belong to the
    /// same part of this table, and would pile up there before the whole is full enough to grow.
    pub(super) fn reserve(&mut self, more: usize) {
        let features = self.len + more;
        if features * 2 > self.counts.len() {
            self.resize(features);
        }
    }

    /// How many different features there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The count of `feature`; 0 if it is not there.
    pub(super) fn count(&self, feature: u64) -> u32 {
        self.counts[self.find(feature)]
    }

    /// The slot of `feature`, which the caller gives a count if it has none; for [`Counts::at`].
    #[inline(always)]
    pub(super) fn slot(&mut self, feature: u64) -> usize {
        let slot = self.find(feature);
        if self.counts[slot] != 0 {
            return slot;
        }
        // A table that grows by itself may get fuller than one whose size was known: it may be as large as a corpus.
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
    pub(super) fn at(&mut self, slot: usize) -> &mut u32 {
        &mut self.counts[slot]
    }

    /// The feature and the count in `slot`.
    #[inline(always)]
    pub(super) fn entry(&self, slot: usize) -> (u64, u32) {
        (self.features[slot], self.counts[slot])
    }

    /// Makes `counts` the counts of `features`, 0 for those that are not there.
    ///
    /// In a large table nearly every feature is a cache miss. First all slots of a stretch are read, one not waiting for
    /// another, and only then is looked at what was found.
    pub(super) fn look_up(&self, features: &[u64], counts: &mut Vec<u32>) {
        counts.clear();
        counts.reserve(features.len());
        for stretch in features.chunks(STRETCH) {
            let mut found = [(0, 0); STRETCH];
            for (found, &feature) in found.iter_mut().zip(stretch) {
                *found = self.entry(self.first_slot(feature));
            }
            counts.extend(found.iter().zip(stretch).map(|(&(found, count), &feature)| {
                // If the slot is another's, the search goes on.
                if count != 0 && found != feature { self.count(feature) } else { count }
            }));
        }
    }

    /// Every feature and its count, in no order that means anything.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, u32)> + Clone {
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

    /// Makes the table one that takes `features` without growing.
    #[cold]
    fn resize(&mut self, features: usize) {
        let mut larger = Counts::with_room_for(features);
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
    fn counts_are_what_a_map_counts() {
        let mut generator = SplitMix64(5);
        for mask in [u64::MAX, 0xff, 0xff << 56, 0x3ff << 20] {
            let (mut counts, mut map) = (Counts::with_room_for(0), BTreeMap::new());
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
