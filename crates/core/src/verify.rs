//! Exact comparison: the sets of shingle hashes themselves, counted.
//!
//! Not for: choosing what to compare; that is `lsh`.

use crate::similarity::Similarity;

/// How much two feature sets share.
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
    /// |A ∩ B| / |A ∪ B|; 0 if both are empty.
    pub fn jaccard(self) -> Similarity {
        Similarity::ratio(self.common, self.left + self.right - self.common)
    }

    /// |A ∩ B| / |B|: how much of the second is contained in the first; 0 if it is empty.
    pub fn containment_of_right(self) -> Similarity {
        Similarity::ratio(self.common, self.right)
    }
}

/// A hash table of one document's features, made once and compared with many.
///
/// Reused from document to document. Source of the layout: Knuth, "The Art of Computer Programming", volume 3,
/// section 6.4, algorithm L (open addressing, linear probing), at most half full.
#[derive(Default)]
pub struct Comparer {
    slots: Vec<u64>,
    shift: u32,
    len: u32,
    holds_zero: bool,
}

impl Comparer {
    /// Moves the different ones among `features` to its front, in order of first appearance; returns how many
    /// there are. The comparer then holds them.
    pub fn distinct(&mut self, features: &mut [u64]) -> usize {
        self.clear(features.len());
        let mut count = 0;
        for index in 0..features.len() {
            let feature = features[index];
            features[count] = feature;
            count += usize::from(self.insert(feature));
        }
        count
    }

    /// Makes `left` the set that others are compared with.
    pub fn hold(&mut self, left: &[u64]) {
        self.clear(left.len());
        for &feature in left {
            self.insert(feature);
        }
    }

    /// Counts what the held set shares with `right`, whose features are all different.
    pub fn overlap(&self, right: &[u64]) -> Overlap {
        let common = right.iter().map(|&feature| u32::from(self.contains(feature))).sum();
        Overlap { common, left: self.len, right: right.len() as u32 }
    }

    /// As [`Comparer::overlap`], but `None` as soon as the Jaccard similarity cannot reach `threshold`.
    pub fn overlap_reaching(&self, right: &[u64], threshold: f64) -> Option<Overlap> {
        let sizes = (f64::from(self.len), right.len() as f64);
        if sizes.0.min(sizes.1) < threshold * sizes.0.max(sizes.1) * SLACK {
            return None;
        }
        // J >= t exactly if |A ∩ B| >= t / (1 + t) * (|A| + |B|).
        let needed = (threshold / (1.0 + threshold) * (sizes.0 + sizes.1) * SLACK) as usize;
        let mut common = 0;
        let mut left = right.len();
        for stretch in right.chunks(STRETCH) {
            common += stretch.iter().map(|&feature| usize::from(self.contains(feature))).sum::<usize>();
            left -= stretch.len();
            if common + left < needed {
                return None;
            }
        }
        let overlap = Overlap { common: common as u32, left: self.len, right: right.len() as u32 };
        (overlap.jaccard().value() >= threshold).then_some(overlap)
    }

    fn clear(&mut self, features: usize) {
        let size = (features * 2).next_power_of_two().max(16);
        self.slots.clear();
        self.slots.resize(size, 0);
        self.shift = 64 - size.ilog2();
        self.len = 0;
        self.holds_zero = false;
    }

    #[inline]
    fn insert(&mut self, feature: u64) -> bool {
        if feature == 0 {
            // Zero marks a free slot.
            let new = !self.holds_zero;
            self.holds_zero = true;
            self.len += u32::from(new);
            return new;
        }
        let mask = self.slots.len() - 1;
        let mut at = (feature >> self.shift) as usize & mask;
        loop {
            match self.slots[at] {
                0 => {
                    self.slots[at] = feature;
                    self.len += 1;
                    return true;
                }
                held if held == feature => return false,
                _ => at = (at + 1) & mask,
            }
        }
    }

    #[inline]
    fn contains(&self, feature: u64) -> bool {
        if feature == 0 {
            return self.holds_zero;
        }
        let mask = self.slots.len() - 1;
        let mut at = (feature >> self.shift) as usize & mask;
        loop {
            match self.slots[at] {
                0 => return false,
                held if held == feature => return true,
                _ => at = (at + 1) & mask,
            }
        }
    }
}

/// Features between two looks at whether the threshold is still in reach.
const STRETCH: usize = 64;

/// Keeps the filters from dropping a pair whose similarity is the threshold itself through rounding.
const SLACK: f64 = 1.0 - 1e-9;
