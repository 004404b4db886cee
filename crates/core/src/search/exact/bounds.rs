//! Bounds on the overlap and sizes of similar sets.

use crate::plan::Measure;

/// The filters of a measure and a threshold. Sizes are numbers of features, at least one.
#[derive(Clone, Copy, Debug)]
pub(super) struct SizeBounds {
    pub(super) measure: Measure,
    pub(super) threshold: f64,
}

impl SizeBounds {
    /// The least number of common features of similar sets with these sizes. At least one.
    #[inline]
    pub(super) fn common(self, a: u32, b: u32) -> u32 {
        self.measure.least_common(self.threshold, a, b)
    }

    /// The least size of a set that can be similar to one of `size`.
    pub(super) fn smallest(self, size: u32) -> u32 {
        let least = match self.measure {
            Measure::Jaccard | Measure::WordJaccard => self.threshold * f64::from(size),
            Measure::Cosine => self.threshold * self.threshold * f64::from(size),
            Measure::Containment => 1.0,
        };
        // Rounded down, which is safe: no possible size is left out by a rounding error.
        (least as u32).clamp(1, size)
    }

    /// The length of the prefix that a set probes the index with.
    ///
    /// A partner of at least `smallest` features shares `common(smallest, size)` of them. If the first of these came
    /// later, too few would be left. Under all three measures, a larger partner must share more.
    pub(super) fn probed(self, size: u32) -> u32 {
        size - self.common(self.smallest(size), size) + 1
    }

    /// The zero bits that the mixed bits of a counted feature start with.
    ///
    /// Counted features come first in the order. They are twice as many as a large set probes with, so prefixes rarely
    /// reach beyond them. Any order is correct, and this one saves counting: at 0.8, it halves the number of memory
    /// accesses.
    pub(super) fn uncounted_bits(self) -> u32 {
        const SIZE: u32 = 1 << 20;
        (SIZE / (2 * self.probed(SIZE))).max(1).ilog2().min(8)
    }

    /// The length of a set's prefix in the index. Only sets of the same or a larger size probe it.
    pub(super) fn indexed(self, size: u32) -> u32 {
        size - self.common(size, size) + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The prefix lengths of the papers for Jaccard.
    #[test]
    fn prefixes_of_jaccard_agree_with_the_papers() {
        let bounds = SizeBounds { measure: Measure::Jaccard, threshold: 0.8 };
        for size in (5..500).step_by(5) {
            assert_eq!(bounds.smallest(size), size * 4 / 5);
            assert_eq!(bounds.probed(size), size / 5 + 1, "size − ⌈t·size⌉ + 1");
            assert_eq!(bounds.indexed(size), size - (8 * size).div_ceil(9) + 1, "size − ⌈2t/(1+t)·size⌉ + 1");
        }
    }

    #[test]
    fn larger_sets_never_probe_with_fewer_features() {
        for (_, measure) in Measure::ALL {
            for threshold in (1..=100).map(|hundredth| f64::from(hundredth) / 100.0) {
                let bounds = SizeBounds { measure, threshold };
                let probed: Vec<u32> = (1..3000).map(|size| bounds.probed(size)).collect();
                assert!(probed.is_sorted(), "{measure:?} {threshold}");
            }
        }
    }

    #[test]
    fn twice_as_many_features_are_counted_as_probed() {
        let bits = |threshold| SizeBounds { measure: Measure::Jaccard, threshold }.uncounted_bits();
        assert_eq!([0.5, 0.7, 0.8, 0.9].map(bits), [0, 0, 1, 2]);
        assert_eq!(SizeBounds { measure: Measure::Containment, threshold: 0.9 }.uncounted_bits(), 0);
    }

    #[test]
    fn similar_sets_are_within_the_bounds() {
        for (_, measure) in Measure::ALL {
            for threshold in [0.05, 0.1, 1.0 / 3.0, 0.5, 0.7, 0.8, 0.9, 0.99, 1.0] {
                let bounds = SizeBounds { measure, threshold };
                for (a, b) in (1..60).flat_map(|b| (1..=b).map(move |a| (a, b))) {
                    for common in 0..=a {
                        let overlap = crate::compare::verify::Overlap { common, left: a, right: b };
                        let similar = common > 0 && measure.reaches(threshold, measure.of(overlap));
                        let within = common >= bounds.common(a, b);
                        assert!(within || !similar, "{measure:?} {threshold}: {common} of {a} and {b}");
                        assert!(!similar || a >= bounds.smallest(b), "{measure:?} {threshold}: {a}, {b}");
                        // The first common feature is in the probed prefix of the larger set and the indexed prefix of
                        // the smaller one.
                        assert!(
                            !similar || b - common < bounds.probed(b),
                            "{measure:?} {threshold}: {a}, {b}"
                        );
                        assert!(
                            !similar || a - common < bounds.indexed(a),
                            "{measure:?} {threshold}: {a}, {b}"
                        );
                    }
                }
            }
        }
    }
}
