//! The probability that a plan finds a pair.

use crate::compare::measure::Set;
use crate::compare::verify::Overlap;
use crate::plan::{Measure, Method, Plan};
use crate::similarity::Similarity;

impl Plan {
    /// The probability that a search by this plan finds two documents of this similarity. `left` and `right` are their
    /// sets.
    ///
    /// `None` if it is unknown, as for fingerprints by weights with few votes. The result has no meaning unless
    /// [`Plan::recall_is_known`].
    pub fn chance(&self, similarity: Similarity, left: Set<'_>, right: Set<'_>) -> Option<f64> {
        if similarity == Similarity::SAME {
            return Some(1.0);
        }
        let overlap = || {
            let (left, right) = (left.features.len() as u32, right.features.len() as u32);
            let common = common(self.measure(), similarity.value(), left, right).min(left.min(right));
            Overlap { common, left, right }
        };
        match (self.method(), self.simhash()) {
            (Method::Exact, _) => Some(1.0),
            (_, Some(simhash)) if self.compares_weights() => simhash.probability_of_weighted(left, right),
            (_, Some(simhash)) => Some(simhash.probability_of_sets(overlap())),
            (_, None) if self.measure() == Measure::Cosine => {
                Some(self.minhash_probability(overlap().jaccard().value()))
            }
            (_, None) => Some(self.minhash_probability(similarity.value())),
        }
    }

    /// The probability for a similarity alone. For MinHash it is a lower bound. For SimHash it assumes equally large
    /// sets of many features.
    pub fn chance_at(&self, similarity: f64) -> f64 {
        match (self.method(), self.simhash()) {
            (Method::Exact, _) => 1.0,
            (_, Some(simhash)) => simhash.probability(self.measure().as_cosine(similarity)),
            (_, None) => self.minhash_probability(self.measure().least_jaccard(similarity)),
        }
    }
}

/// The number of common features of two sets with these sizes and this similarity.
fn common(measure: Measure, similarity: f64, left: u32, right: u32) -> u32 {
    let (left, right) = (f64::from(left), f64::from(right));
    let common = match measure {
        Measure::Jaccard | Measure::WordJaccard => similarity * (left + right) / (1.0 + similarity),
        Measure::Cosine => similarity * (left * right).sqrt(),
        Measure::Containment => similarity * left.min(right),
    };
    common.round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_overlap_follows_from_similarity_and_sizes() {
        for (_, measure) in Measure::ALL {
            for (left, right) in [(1, 1), (4, 5), (17, 30), (900, 4000)] {
                for shared in 1..=left {
                    let similarity = measure.of(Overlap { common: shared, left, right }).value();
                    assert_eq!(
                        common(measure, similarity, left, right),
                        shared,
                        "{measure:?} {left} {right}"
                    );
                }
            }
        }
    }
}
