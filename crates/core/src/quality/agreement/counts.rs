use super::partition::pairs_of;

/// The numbers of pairs in two accounts, and in both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Pairs in the result.
    pub found: u64,
    /// Pairs in the truth.
    pub truth: u64,
    /// Pairs in both.
    pub both: u64,
}

impl Agreement {
    /// The share of the found pairs that are true. `None` if no pair was found.
    pub fn precision(&self) -> Option<f64> {
        share(self.both, self.found)
    }

    /// The share of the true pairs that were found. `None` if there are no true pairs.
    pub fn recall(&self) -> Option<f64> {
        share(self.both, self.truth)
    }

    /// The harmonic mean of precision and recall. `None` if there are no pairs.
    pub fn f1(&self) -> Option<f64> {
        share(2 * self.both, self.found + self.truth)
    }

    /// The adjusted Rand index: how far two partitions of `documents` documents agree beyond chance.
    ///
    /// The counts must come from the partitions' clusters. The index is 1 if the partitions are the same, and about 0
    /// if one says nothing about the other. It is also 1 if only one partition has clusters of these sizes, as when all
    /// documents are alone in both, or all are in one cluster in both.
    ///
    /// The index depends on `documents`: with more documents alone, agreement by chance is rarer.
    ///
    /// Source: Hubert and Arabie, "Comparing partitions", 1985.
    pub fn adjusted_rand_index(&self, documents: u32) -> f64 {
        // Multiplied out, the index is a fraction of whole numbers. 2³² documents have fewer than 2⁶³ pairs, and
        // products of such numbers fit.
        let [found, truth, both, all] =
            [self.found, self.truth, self.both, pairs_of(u64::from(documents))].map(i128::from);
        let beyond_chance = both * all - found * truth;
        let most = all * (found + truth) - 2 * found * truth;
        if most == 0 { 1.0 } else { 2.0 * beyond_chance as f64 / most as f64 }
    }
}

pub(super) fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_without_a_denominator_is_none() {
        let nothing = Agreement::default();
        assert_eq!((nothing.precision(), nothing.recall(), nothing.f1()), (None, None, None));
        let missed = Agreement { found: 0, truth: 3, both: 0 };
        assert_eq!((missed.precision(), missed.recall(), missed.f1()), (None, Some(0.0), Some(0.0)));
    }

    #[test]
    fn equal_partitions_have_index_one_even_if_no_others_are_possible() {
        let nothing = Agreement::default();
        let everything = Agreement { found: 3, truth: 3, both: 3 };
        for (same, documents) in [(nothing, 0), (nothing, 1), (nothing, 9), (everything, 3), (everything, 4)]
        {
            assert_eq!(same.adjusted_rand_index(documents), 1.0, "{same:?} of {documents}");
        }
        for (found, truth) in [(0, 3), (3, 0), (0, 6), (6, 0)] {
            assert_eq!(Agreement { found, truth, both: 0 }.adjusted_rand_index(4), 0.0);
        }
    }

    #[test]
    fn the_largest_number_of_documents_does_not_overflow() {
        let all = pairs_of(u64::from(u32::MAX));
        for agreement in [
            Agreement { found: all, truth: all - 1, both: all - 1 },
            Agreement { found: all, truth: 0, both: 0 },
            Agreement { found: all / 2, truth: all / 2, both: all / 4 },
        ] {
            let index = agreement.adjusted_rand_index(u32::MAX);
            assert!(index.abs() < 1e-9, "{index}");
        }
    }
}
