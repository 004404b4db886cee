//! Approximate frequencies of features: the number of sets with a feature. Features are hashed into slots, and those in
//! a slot are counted together.

use super::sets::Salted;
use crate::hash::GOLDEN_RATIO;

/// A bijection of features, whose high bits depend on all bits. Small numbers therefore work as features as well.
#[inline]
pub(super) fn mixed(feature: u64) -> u64 {
    feature.wrapping_mul(GOLDEN_RATIO)
}

/// Features processed together: enough that their memory accesses overlap, and few enough that the buffer stays in
/// cache.
const BATCH: usize = 64;

/// Calls `each` for the counted features among at most [`BATCH`]: mixed, and without the `uncounted` zero bits that
/// they start with.
#[inline]
fn each_counted(features: &[u64], salt: u64, uncounted: u32, each: impl FnMut(u64)) {
    // Without a branch, as no predictor can guess which features are counted.
    let mut counted = [0; BATCH];
    let mut count = 0;
    for &feature in &features[..features.len().min(BATCH)] {
        let mixed = mixed(feature ^ salt);
        counted[count] = mixed << uncounted;
        count += usize::from(mixed <= u64::MAX >> uncounted);
    }
    counted[..count].iter().copied().for_each(each);
}

/// The number of high bits that choose one of at least `2 * features` slots. At least three in five distinct features
/// then have a slot of their own.
fn slot_bits(features: usize) -> u32 {
    // 2³⁴ slots take 4 GiB as pairs of bits. Larger corpora share slots, which costs time only.
    features.saturating_mul(2).clamp(1 << 8, 1 << 34).next_power_of_two().ilog2()
}

/// A filter for features that are in one set only. Each slot has two bits: seen, and seen again.
#[derive(Debug)]
pub(crate) struct SingleSetFilter {
    words: Vec<u64>,
    shift: u32,
    uncounted: u32,
}

/// The first bit of every slot in a word.
const ONCE: u64 = 0x5555_5555_5555_5555;

impl SingleSetFilter {
    /// A filter for sets with `features` features in total. Only features that start with `uncounted` zero bits are
    /// counted.
    pub(crate) fn new(features: usize, uncounted: u32) -> Self {
        let bits = slot_bits(features >> uncounted);
        SingleSetFilter { words: vec![0; 1 << (bits - 5)], shift: 64 - bits, uncounted }
    }

    /// Adds the features of a set. A feature repeated within the set counts as one of several sets.
    pub(crate) fn add(&mut self, set: Salted<'_>) {
        let (words, shift) = (&mut self.words, self.shift);
        for features in set.features.chunks(BATCH) {
            each_counted(features, set.salt, self.uncounted, |counted| {
                let (word, bit) = place(counted, shift);
                let word = &mut words[word];
                *word |= 1 << (bit + (*word >> bit & 1) as u32);
            });
        }
    }

    /// Whether the set has at least `enough` features that no other set has. It then shares too few with any set.
    pub(crate) fn has_lone(&self, set: Salted<'_>, enough: usize) -> bool {
        let mut lone = 0;
        set.features.chunks(BATCH).any(|features| {
            each_counted(features, set.salt, self.uncounted, |counted| {
                let (word, bit) = place(counted, self.shift);
                lone += usize::from(self.words[word] >> bit & 2 == 0);
            });
            lone >= enough
        })
    }

    /// Whether the feature was seen in one set only.
    pub(crate) fn is_lone(&self, feature: u64) -> bool {
        let (word, bit) = place(mixed(feature), self.shift);
        self.words[word] >> bit & 2 == 0
    }

    /// Adds another filter, made for the same number of features.
    pub(crate) fn merge(&mut self, other: &SingleSetFilter) {
        for (word, &more) in self.words.iter_mut().zip(&other.words) {
            let both = *word & more & ONCE;
            *word |= more | both << 1;
        }
    }
}

/// The word of a slot, and the slot's first bit in it.
#[inline]
fn place(counted: u64, shift: u32) -> (usize, u32) {
    let slot = counted >> shift;
    ((slot >> 5) as usize, (slot as u32 & 31) * 2)
}

/// Upper bounds of the numbers of sets with a feature.
#[derive(Debug)]
pub(crate) struct SetCountBounds {
    slots: Vec<u16>,
    shift: u32,
    uncounted: u32,
}

/// The frequency of features that are not counted. They come last.
const UNCOUNTED: u32 = 1 << 16;

impl SetCountBounds {
    /// Counts for sets with `features` features in total. Only features that start with `uncounted` zero bits are
    /// counted.
    pub(crate) fn new(features: usize, uncounted: u32) -> Self {
        // At most 2 GiB.
        let bits = slot_bits((features >> uncounted) / 2).min(30);
        SetCountBounds { slots: vec![0; 1 << bits], shift: 64 - bits, uncounted }
    }

    /// Counts the distinct features of a set. Frequencies from 65,535 on are equal.
    pub(crate) fn add(&mut self, set: Salted<'_>) {
        let (slots, shift) = (&mut self.slots, self.shift);
        for features in set.features.chunks(BATCH) {
            each_counted(features, set.salt, self.uncounted, |counted| {
                let slot = &mut slots[(counted >> shift) as usize];
                *slot = slot.saturating_add(1);
            });
        }
    }

    /// Adds other counts, made for the same number of features.
    pub(crate) fn merge(&mut self, other: &SetCountBounds) {
        self.slots.iter_mut().zip(&other.slots).for_each(|(slot, &more)| *slot = slot.saturating_add(more));
    }

    /// Fills `shared` with the features of a set that others may have: mixed, each with its frequency, by which they
    /// are ordered.
    ///
    /// Counted features come first. The uncounted ones are added only if the counted ones do not fill a prefix of
    /// `length`. Returns the number of features that no other set has. Those come before all others.
    #[inline]
    pub(crate) fn shared(&self, set: Salted<'_>, length: usize, shared: &mut Vec<(u32, u64)>) -> usize {
        // Without a branch that depends on loaded values, so loads overlap.
        shared.resize(set.features.len(), (0, 0));
        let (mut kept, mut lone) = (0, 0);
        for features in set.features.chunks(BATCH) {
            each_counted(features, set.salt, self.uncounted, |counted| {
                let count = self.slots[(counted >> self.shift) as usize];
                shared[kept] = (u32::from(count), counted >> self.uncounted);
                kept += usize::from(count > 1);
                lone += usize::from(count <= 1);
            });
        }
        shared.truncate(kept);
        if lone + kept < length {
            let others = set.features.iter().map(|&feature| mixed(feature ^ set.salt));
            let others = others.filter(|&mixed| mixed > u64::MAX >> self.uncounted);
            shared.extend(others.map(|mixed| (UNCOUNTED, mixed)));
        }
        lone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merged_parts_equal_a_single_pass() {
        let empty = |features| (SingleSetFilter::new(features, 0), SetCountBounds::new(features, 0));
        let sets: Vec<Vec<u64>> = (0..40).map(|set| (set * 7..set * 7 + 9).collect()).collect();
        let features = sets.iter().map(Vec::len).sum();
        let mut whole = empty(features);
        let mut merged = empty(features);
        for part in sets.chunks(7) {
            let mut one = empty(features);
            for set in part {
                one.0.add(set[..].into());
                one.1.add(set[..].into());
                whole.0.add(set[..].into());
                whole.1.add(set[..].into());
            }
            merged.0.merge(&one.0);
            merged.1.merge(&one.1);
        }
        assert_eq!((merged.0.words, merged.1.slots), (whole.0.words.clone(), whole.1.slots.clone()));
        for feature in 0..300 {
            let truly = sets.iter().filter(|set| set.contains(&feature)).count();
            let mut shared = Vec::new();
            whole.1.shared([feature][..].into(), 1, &mut shared);
            assert!(shared.first().map_or(1, |&(count, _)| count as usize) >= truly);
            assert!(!whole.0.has_lone([feature][..].into(), 1) || truly <= 1);
        }
    }
}
