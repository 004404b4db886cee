use super::partition::pairs_of;

/// How many pairs two accounts have, and how many both have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Pairs found.
    pub found: u64,
    /// Pairs that are true.
    pub truth: u64,
    /// Pairs that were found and are true.
    pub both: u64,
}

impl Agreement {
    /// The share of the found pairs that are true; `None` if none was found.
    pub fn precision(&self) -> Option<f64> {
        share(self.both, self.found)
    }

    /// The share of the true pairs that were found; `None` if there are none.
    pub fn recall(&self) -> Option<f64> {
        share(self.both, self.truth)
    }

    /// The harmonic mean of precision and recall; `None` if there is no pair at all.
    pub fn f1(&self) -> Option<f64> {
        share(2 * self.both, self.found + self.truth)
    }

    /// How far two partitions of so many `documents` agree beyond chance, if these are the pairs of their clusters: 1 if
    /// they are the same, about 0 if one says nothing of the other. Where no two partitions with clusters of these sizes could
    /// disagree, as both leave all documents alone or both put all into one cluster, they are the same.
    ///
    /// It depends on `documents`: the more are alone in both, the rarer is agreement by chance.
    ///
    /// Source: Hubert and Arabie, "Comparing partitions", 1985.
    pub fn adjusted_rand_index(&self, documents: u32) -> f64 {
        // Multiplied out, it is a fraction of whole numbers: pairs of 2³² documents are fewer than 2⁶³, their products fit.
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
    fn what_has_no_denominator_has_no_value() {
        let nothing = Agreement::default();
        assert_eq!((nothing.precision(), nothing.recall(), nothing.f1()), (None, None, None));
        let missed = Agreement { found: 0, truth: 3, both: 0 };
        assert_eq!((missed.precision(), missed.recall(), missed.f1()), (None, Some(0.0), Some(0.0)));
    }

    #[test]
    fn the_same_partitions_have_index_one_even_where_chance_could_not_make_others() {
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
    fn the_most_documents_overflow_nothing() {
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
