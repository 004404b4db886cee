//! In how many sets features are, nearly: slots that features are hashed into, and that are counted together.

use crate::hash::GOLDEN_RATIO;

/// A bijection of features whose high bits depend on all of theirs, so that small numbers are features as well.
#[inline]
pub(super) fn mixed(feature: u64) -> u64 {
    feature.wrapping_mul(GOLDEN_RATIO)
}

/// The high bits that choose one of at least `2 * features` slots: of features that are all different, three in five or
/// more then have a slot of their own.
fn slot_bits(features: usize) -> u32 {
    // 2³⁴ slots take 4 GiB as pairs of bits. Corpora for which that is too few share slots, which costs time only.
    features.saturating_mul(2).clamp(1 << 8, 1 << 34).next_power_of_two().ilog2()
}

/// Which features are in one set only: two bits a slot, seen and seen again.
#[derive(Debug)]
pub(super) struct Seen {
    words: Vec<u64>,
    shift: u32,
}

/// The first bits of all slots of a word.
const ONCE: u64 = 0x5555_5555_5555_5555;

impl Seen {
    /// For sets that have `features` features together.
    pub(super) fn new(features: usize) -> Self {
        let bits = slot_bits(features);
        Seen { words: vec![0; 1 << (bits - 5)], shift: 64 - bits }
    }

    /// Sees the features of a set, which are all different.
    pub(super) fn add(&mut self, set: &[u64]) {
        for &feature in set {
            let (word, bit) = self.place(mixed(feature));
            let word = &mut self.words[word];
            *word |= 1 << (bit + (*word >> bit & 1) as u32);
        }
    }

    /// Adds what others have seen, who are for as many features.
    pub(super) fn merge(&mut self, other: &Seen) {
        for (word, &more) in self.words.iter_mut().zip(&other.words) {
            let both = *word & more & ONCE;
            *word |= more | both << 1;
        }
    }

    /// Is the feature certainly in no more than one set?
    #[inline]
    pub(super) fn is_lone(&self, mixed: u64) -> bool {
        let (word, bit) = self.place(mixed);
        self.words[word] >> bit & 2 == 0
    }

    #[inline]
    fn place(&self, mixed: u64) -> (usize, u32) {
        let slot = mixed >> self.shift;
        ((slot >> 5) as usize, (slot as u32 & 31) * 2)
    }
}

/// In how many sets features are, or more.
#[derive(Debug)]
pub(super) struct Counts {
    slots: Vec<u16>,
    shift: u32,
}

impl Counts {
    /// For sets that have `features` features together.
    pub(super) fn new(features: usize) -> Self {
        // 2 GiB.
        let bits = slot_bits(features / 2).min(30);
        Counts { slots: vec![0; 1 << bits], shift: 64 - bits }
    }

    /// Counts the features of a set, which are all different. From 65,535 on they are equally frequent.
    pub(super) fn add(&mut self, set: &[u64]) {
        for &feature in set {
            let slot = &mut self.slots[(mixed(feature) >> self.shift) as usize];
            *slot = slot.saturating_add(1);
        }
    }

    /// Adds what others counted, who are for as many features.
    pub(super) fn merge(&mut self, other: &Counts) {
        self.slots.iter_mut().zip(&other.slots).for_each(|(slot, &more)| *slot = slot.saturating_add(more));
    }

    /// In how many sets a feature is at most.
    #[inline]
    pub(super) fn of(&self, mixed: u64) -> u16 {
        self.slots[(mixed >> self.shift) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_merge_to_what_is_seen_at_once() {
        let sets: Vec<Vec<u64>> = (0..40).map(|set| (set * 7..set * 7 + 9).collect()).collect();
        let features = sets.iter().map(Vec::len).sum();
        let mut whole = (Seen::new(features), Counts::new(features));
        let mut merged = (Seen::new(features), Counts::new(features));
        for part in sets.chunks(7) {
            let mut one = (Seen::new(features), Counts::new(features));
            for set in part {
                one.0.add(set);
                one.1.add(set);
                whole.0.add(set);
                whole.1.add(set);
            }
            merged.0.merge(&one.0);
            merged.1.merge(&one.1);
        }
        assert_eq!((merged.0.words, merged.1.slots), (whole.0.words.clone(), whole.1.slots.clone()));
        for feature in 0..300 {
            let truly = sets.iter().filter(|set| set.contains(&feature)).count();
            assert!(usize::from(whole.1.of(mixed(feature))) >= truly);
            assert!(!whole.0.is_lone(mixed(feature)) || truly <= 1);
        }
    }
}
