//! Bounds on the number of differences that two similar documents share.

use crate::plan::Measure;

/// The filter of a family.
///
/// A document of `size` features, with `difference` of them different from the template, has the *distance* `difference
/// − slope·size + offset`. Two documents can be similar only if twice the number of shared differences is at least the
/// sum of their distances.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FamilyBounds {
    slope: f64,
    offset: f64,
}

/// A margin for rounding. Distances are sums and products of a few numbers below 2³², and rounding changes them by
/// less.
const SLACK: f64 = 1e-5;

impl FamilyBounds {
    /// The filter for documents of at least `smallest` features.
    pub(crate) fn new(measure: Measure, threshold: f64, smallest: u32) -> Self {
        // |A △ B| = |A| + |B| − 2·|A ∩ B|. A similarity of t bounds this by a sum over the two documents.
        match measure {
            Measure::Jaccard | Measure::WordJaccard | Measure::Cosine => {
                let jaccard = measure.least_jaccard(threshold);
                FamilyBounds { slope: (1.0 - jaccard) / (1.0 + jaccard), offset: 0.0 }
            }
            // |A ∩ B| ≥ t·min(|A|, |B|) ≥ t·smallest.
            Measure::Containment => FamilyBounds { slope: 1.0, offset: threshold * f64::from(smallest) },
        }
    }

    /// The distance of a document from the template.
    pub(crate) fn distance(self, size: u32, difference: u32) -> f64 {
        f64::from(difference) - self.slope * f64::from(size) + self.offset
    }
}

/// Whether two documents can be similar if they share at most `common` differences. `distances` is the sum of their
/// distances.
#[inline]
pub(crate) fn suffices(common: u32, distances: f64) -> bool {
    2.0 * f64::from(common) + SLACK >= distances
}

/// The length of the prefix of differences, in the common order, that holds a shared difference of every similar
/// document.
///
/// `distances` is the least sum of the two distances. Pairs that need no shared difference are not found by prefixes.
pub(crate) fn prefix(difference: u32, distances: f64) -> u32 {
    let needed = ((distances - SLACK) / 2.0).ceil().max(1.0) as u32;
    (difference + 1).saturating_sub(needed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::verify::Overlap;

    /// Over all sizes of two sets and of a template, and all overlaps of the three.
    #[test]
    fn similar_documents_share_the_differences_that_their_distances_require() {
        let counts = || 0..5_u32;
        for (_, measure) in Measure::ALL {
            for threshold in [0.2, 1.0 / 3.0, 0.5, 0.8, 1.0] {
                for all in counts() {
                    for (only_a, only_b, a_and_b) in
                        counts().flat_map(|a| counts().flat_map(move |b| counts().map(move |ab| (a, b, ab))))
                    {
                        for (t, a_and_t, b_and_t) in counts()
                            .flat_map(|t| counts().flat_map(move |a| counts().map(move |b| (t, a, b))))
                        {
                            let (a, b) = (only_a + a_and_b + a_and_t + all, only_b + a_and_b + b_and_t + all);
                            let overlap = Overlap { common: a_and_b + all, left: a, right: b };
                            if !measure.reaches(threshold, measure.of(overlap)) {
                                continue;
                            }
                            let bounds = FamilyBounds::new(measure, threshold, a.min(b));
                            let (of_a, of_b) =
                                (only_a + a_and_b + t + b_and_t, only_b + a_and_b + t + a_and_t);
                            let common = a_and_b + t;
                            let distances = bounds.distance(a, of_a) + bounds.distance(b, of_b);
                            assert!(suffices(common, distances), "{measure:?} {threshold} {overlap:?}");
                            // In the worst case the common differences come last in both documents. Even then the first
                            // is in the prefix.
                            let found = common > 0 && of_a - common < prefix(of_a, distances);
                            assert!(found || suffices(0, distances), "{measure:?} {threshold} {overlap:?}");
                        }
                    }
                }
            }
        }
    }
}
