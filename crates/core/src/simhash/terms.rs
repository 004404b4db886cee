//! The terms of a document: its distinct features, each with its number of occurrences.

use super::counts::FeatureCounts;
use crate::hash::GOLDEN_RATIO;

/// The distinct features of a document. Features that occur once come first.
///
/// Most features occur once, and a hash table is too slow for them. A bitmap recognises most new features by a single
/// bit. Only features whose bit was already set are counted in a table. Up to there, no branch depends on a feature.
pub(super) struct Terms {
    features: Vec<u64>,
    once: usize,
    /// The number of occurrences of each feature behind the first `once`.
    repeated: Vec<u32>,
    suspects: Vec<u64>,
    /// A bit for each hash value: set after a feature with it. `suspected` is set after a suspect with it.
    seen: Vec<u64>,
    suspected: Vec<u64>,
    counts: FeatureCounts,
    slots: Vec<usize>,
}

/// Bits per feature. A feature that occurs once then becomes a suspect in 3 to 6 % of cases.
const BITS: usize = 16;

impl Terms {
    /// The terms of an empty document.
    pub(super) fn new() -> Self {
        Terms {
            features: Vec::new(),
            once: 0,
            repeated: Vec::new(),
            suspects: Vec::new(),
            seen: Vec::new(),
            suspected: Vec::new(),
            counts: FeatureCounts::with_room_for(0),
            slots: Vec::new(),
        }
    }

    /// Counts the features of a document.
    pub(super) fn count(&mut self, features: &[u64]) {
        let bits = (BITS * features.len()).next_power_of_two().max(64);
        for bitmap in [&mut self.seen, &mut self.suspected] {
            bitmap.clear();
            bitmap.resize(bits / 64, 0);
        }
        let shift = 64 - bits.ilog2();
        let (firsts, suspects) = self.part(features, shift);
        self.count_suspects(suspects, shift);
        self.once = self.part_firsts(firsts, shift);
        self.features.truncate(self.once);
        self.repeated.clear();
        for &slot in &self.slots {
            let (feature, count) = self.counts.entry(slot);
            self.features.push(feature);
            self.repeated.push(count);
        }
    }

    /// Parts `features` into those whose bit is new, which go to the front of `self.features`, and the others, which go to that of
    /// `self.suspects`. Returns how many there are of each.
    fn part(&mut self, features: &[u64], shift: u32) -> (usize, usize) {
        self.features.resize(features.len(), 0);
        self.suspects.resize(features.len(), 0);
        let (mut firsts, mut suspects) = (0, 0);
        // These are slices, so that their addresses stay in registers.
        let (seen, to_firsts, to_suspects) =
            (&mut self.seen[..], &mut self.features[..], &mut self.suspects[..]);
        for &feature in features {
            let (word, bit) = place(feature, shift);
            let known = usize::from(seen[word] & bit != 0);
            seen[word] |= bit;
            to_firsts[firsts] = feature;
            firsts += 1 - known;
            to_suspects[suspects] = feature;
            suspects += known;
        }
        (firsts, suspects)
    }

    /// Counts the first `suspects` of `self.suspects` in the table, and marks their bits.
    fn count_suspects(&mut self, suspects: usize, shift: u32) {
        self.counts.reset(suspects);
        self.slots.clear();
        for &suspect in &self.suspects[..suspects] {
            let (word, bit) = place(suspect, shift);
            self.suspected[word] |= bit;
            let slot = self.counts.slot(suspect);
            let count = self.counts.at(slot);
            if *count == 0 {
                self.slots.push(slot);
            }
            *count += 1;
        }
    }

    /// Counts those of the first `firsts` features that are in the table, and moves the others to the front. Returns how many these are.
    fn part_firsts(&mut self, firsts: usize, shift: u32) -> usize {
        let mut once = 0;
        for first in 0..firsts {
            let feature = self.features[first];
            let (word, bit) = place(feature, shift);
            if self.suspected[word] & bit != 0 && self.counts.count(feature) != 0 {
                let slot = self.counts.slot(feature);
                *self.counts.at(slot) += 1;
                continue;
            }
            self.features[once] = feature;
            once += 1;
        }
        once
    }

    /// The distinct features.
    pub(super) fn features(&self) -> &[u64] {
        &self.features
    }

    /// The number of occurrences of each distinct feature.
    pub(super) fn counts(&self) -> impl Iterator<Item = u32> {
        std::iter::repeat_n(1, self.once).chain(self.repeated.iter().copied())
    }
}

/// The word and the bit of `feature` in a bitmap of `2^(64 - shift)` bits.
#[inline(always)]
fn place(feature: u64, shift: u32) -> (usize, u64) {
    let place = (feature.wrapping_mul(GOLDEN_RATIO) >> shift) as usize;
    (place / 64, 1 << (place % 64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::SplitMix64;
    use std::collections::BTreeMap;

    #[test]
    fn counts_equal_those_of_a_map() {
        let (mut generator, mut terms) = (SplitMix64(9), Terms::new());
        for size in [0, 1, 2, 3, 20, 100, 128, 1000, 5000] {
            // All distinct, some twice, most of them often, and features that differ in few bits.
            for mask in [u64::MAX, 0xfff, 0xf, 0x3ff << 20] {
                let features: Vec<u64> = (0..size).map(|_| generator.next() & mask).collect();
                let mut map = BTreeMap::new();
                features.iter().for_each(|&feature| *map.entry(feature).or_insert(0) += 1);
                terms.count(&features);
                assert_eq!(terms.features().len(), map.len());
                let found: BTreeMap<u64, u32> =
                    terms.features().iter().copied().zip(terms.counts()).collect();
                assert_eq!(found, map);
            }
        }
    }
}
