//! Counts of pairs by similarity, and estimates of the missed pairs.

use lookalike::{Match, Method, Plan, Score};
use lookalike_engine::clusters::Evidence;

/// Counts of pairs by how similar they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scores {
    /// By similarity.
    Similarities {
        /// From 0, in steps of 0.01, without pairs of similarity 1.
        bins: Vec<u64>,
        /// Pairs of similarity 1.
        same: u64,
    },
    /// By the bits in which fingerprints differ, from 0.
    Distances(Vec<u64>),
}

/// Bins between the similarities 0 and 1.
const BINS: usize = 100;

/// The bin of a similarity below 1. A quotient such as 0.29 counts as 0.29, even if its last bit is rounded down.
fn bin(similarity: f64) -> usize {
    ((similarity * BINS as f64 + 1e-9) as usize).min(BINS - 1)
}

impl Scores {
    pub(super) fn of(plan: &Plan, all: impl Iterator<Item = Score>) -> Self {
        let (mut bins, mut same, mut distances) = (vec![0; BINS], 0, Vec::new());
        for score in all {
            let similarity = match score {
                Score::Similarity(similarity) => similarity.value(),
                Score::Estimate(estimate) => estimate.similarity().value(),
                Score::Hamming(distance) => {
                    let distance = distance as usize;
                    distances.resize(distances.len().max(distance + 1), 0);
                    distances[distance] += 1;
                    continue;
                }
            };
            match similarity >= 1.0 {
                true => same += 1,
                false => bins[bin(similarity)] += 1,
            }
        }
        match plan.decides_by_distance() {
            true => Scores::Distances(distances),
            false => Scores::Similarities { bins, same },
        }
    }
}

/// Parts of a pair, in which estimates are summed. They are finer than any figure of a page.
const PARTS: f64 = (1_u64 << 40) as f64;

/// How likely a pair is found, by similarity.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chances {
    /// The probability at the similarities 0, 0.01 … 1.
    pub curve: Vec<f64>,
    /// Estimated pairs, found or missed, in the bins of [`Scores::Similarities`]. A found pair counts as the inverse of its
    /// probability to be found.
    pub estimated: Vec<f64>,
}

impl Chances {
    pub(super) fn of(by: Evidence<'_>, method: Method, links: &[Match]) -> Option<Self> {
        if method == Method::Exact || !by.recall_is_known(method) {
            return None;
        }
        let plan = &by.request.plan;
        let curve = (0..=BINS).map(|step| plan.chance_at(step as f64 / BINS as f64)).collect();
        // Sums of whole numbers are the same in any order of the links.
        let mut parts = vec![0_u128; BINS];
        for link in links {
            let (similarity, chance) = (link.score.similarity()?.value(), by.chance(method, link)?);
            if similarity < 1.0 {
                parts[bin(similarity)] += (PARTS / chance) as u128;
            }
        }
        let estimated = parts.into_iter().map(|parts| parts as f64 / PARTS).collect();
        Some(Chances { curve, estimated })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bin_holds_what_is_written_with_its_first_two_decimals() {
        for hundredths in 0..BINS {
            assert_eq!(bin(hundredths as f64 / 100.0), hundredths);
            assert_eq!(bin((hundredths as f64 + 0.99) / 100.0), hundredths);
        }
    }

    #[test]
    fn distances_are_counted_one_by_one() {
        let options = lookalike::Options { method: Some(Method::SimHash), ..Default::default() };
        let plan = options.plan().expect("valid");
        let of = |distances: &[u32]| Scores::of(&plan, distances.iter().copied().map(Score::Hamming));
        assert_eq!(of(&[3, 0, 3]), Scores::Distances(vec![1, 0, 0, 2]));
        assert_eq!(of(&[]), Scores::Distances(Vec::new()));
    }
}
