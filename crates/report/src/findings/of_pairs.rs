//! The findings of `pairs`.

use super::distance;
use super::example::{Example, ExampleRoles};
use super::first::first_of_groups;
use super::scores::{Chances, Scores};
use super::sizes::cluster_sizes;
use super::texts::{ExampleTexts, WantedDocuments, shared_passages};
use crate::run::SizeClass;
use lookalike::search::Buckets;
use lookalike::{Match, Method, Plan, Sketcher};
use lookalike_corpus::Fields;
use lookalike_engine::Error;
use lookalike_engine::clusters::Evidence;
use lookalike_engine::documents::DocumentNames;
use lookalike_engine::progress::Monitor;
use std::collections::BTreeSet;

/// What the page of `pairs` shows.
#[derive(Clone, Debug)]
pub struct PairFindings {
    /// How similar the pairs are, copies included.
    pub(crate) scores: Scores,
    /// How likely the search finds a pair. `None` if that is unknown, or if the search misses nothing.
    pub(crate) chances: Option<Chances>,
    /// Sizes of the clusters that pairs connect, in powers of two.
    pub(crate) cluster_sizes: Vec<SizeClass>,
    /// Pairs that are least similar.
    pub(crate) nearest: Vec<Example>,
    /// Pairs in the middle: half of all pairs are more similar.
    pub(crate) median: Vec<Example>,
    /// Pairs that are most similar, without copies.
    pub(crate) most_similar: Vec<Example>,
}

/// Pairs that were found, in input order, and the clusters that they connect.
#[derive(Clone, Copy)]
pub struct ListedPairs<'a> {
    /// The pairs.
    pub pairs: &'a [Match],
    /// The first document of its cluster, for every document.
    pub roots: &'a [u32],
    /// The clusters.
    pub clusters: &'a Buckets,
}

/// Pairs of a kind that are shown.
const PAIRS: usize = 6;

/// The pairs that are shown, by their indexes in the list. Each kind has at most one pair of a cluster, and no pair is shown
/// twice. Copies are not shown.
struct ChosenPairs {
    nearest: Vec<usize>,
    median: Vec<usize>,
    most_similar: Vec<usize>,
}

impl PairFindings {
    /// Of `listed` pairs. Examples are read by `fields`.
    pub fn new(
        fields: &Fields,
        evidence: Evidence<'_>,
        method: Method,
        names: &DocumentNames<'_>,
        listed: ListedPairs<'_>,
        monitor: &Monitor,
    ) -> Result<Self, Error> {
        let (plan, pairs) = (&evidence.request.plan, listed.pairs);
        let chosen = ChosenPairs::new(pairs, listed.roots);
        let all = chosen.nearest.iter().chain(&chosen.median).chain(&chosen.most_similar);
        let with_text = all.flat_map(|&index| [pairs[index].a, pairs[index].b]).collect();
        let texts = ExampleTexts::read(
            fields,
            names,
            &WantedDocuments { with_text, named: BTreeSet::new() },
            monitor,
        )?;
        let examples = |indexes: &[usize]| -> Vec<Example> {
            indexes.iter().map(|&index| example(plan, &pairs[index], &texts)).collect()
        };
        Ok(PairFindings {
            scores: Scores::of(plan, pairs.iter().map(|pair| pair.score)),
            chances: Chances::of(evidence, method, pairs),
            cluster_sizes: cluster_sizes(listed.clusters.iter().map(<[u32]>::len)),
            nearest: examples(&chosen.nearest),
            median: examples(&chosen.median),
            most_similar: examples(&chosen.most_similar),
        })
    }
}

/// A listed pair.
fn example(plan: &Plan, pair: &Match, texts: &ExampleTexts) -> Example {
    let texts = [texts.of(pair.a), texts.of(pair.b)];
    Example {
        passages: shared_passages(&mut Sketcher::new(plan), &texts),
        texts,
        roles: ExampleRoles::Listed,
        score: pair.score,
        containment: None,
        cluster: None,
        whole: None,
    }
}

impl ChosenPairs {
    fn new(pairs: &[Match], roots: &[u32]) -> Self {
        let far = |index: usize| distance(pairs[index].score);
        // `order` gives the distance by which a kind is ordered. Equal ones stay in input order.
        let first = |taken: &[usize], order: &dyn Fn(usize) -> f64| {
            let others = (0..pairs.len()).filter(|&index| far(index) > 0.0 && !taken.contains(&index));
            let by = |a: &usize, b: &usize| order(*a).total_cmp(&order(*b)).then(a.cmp(b));
            first_of_groups(others, PAIRS, by, |&index| roots[pairs[index].a as usize])
        };
        let nearest = first(&[], &|index| -far(index));
        let most_similar = first(&nearest, &far);
        let middle = median(pairs).unwrap_or_default();
        let taken: Vec<usize> = nearest.iter().chain(&most_similar).copied().collect();
        let median = first(&taken, &|index| (far(index) - middle).abs());
        ChosenPairs { nearest, median, most_similar }
    }
}

/// Bits of a distance that one pass of [`median`] looks at: 65,536 counters.
const DIGIT: u32 = 16;

/// The median distance of pairs that are no copies. For an even number it is the lower one of the two in the middle. Each pass
/// finds 16 more bits of it, so no list of distances is held.
fn median(pairs: &[Match]) -> Option<f64> {
    // Distances are not negative, and the bits of such numbers are in the order of the numbers.
    let distances =
        || pairs.iter().map(|pair| distance(pair.score)).filter(|&far| far > 0.0).map(f64::to_bits);
    let mut rank = distances().count().checked_sub(1)? / 2;
    let (mut known, mut shift) = (0_u64, u64::BITS);
    while shift > 0 {
        let above = |bits: u64| bits.checked_shr(shift).unwrap_or(0);
        let mut counts = vec![0_usize; 1 << DIGIT];
        for bits in distances().filter(|&bits| above(bits) == above(known)) {
            counts[(bits >> (shift - DIGIT)) as usize & ((1 << DIGIT) - 1)] += 1;
        }
        let mut digit = 0;
        while counts[digit] <= rank {
            rank -= counts[digit];
            digit += 1;
        }
        shift -= DIGIT;
        known |= (digit as u64) << shift;
    }
    Some(f64::from_bits(known))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::Score;

    fn pairs(distances: &[u32]) -> Vec<Match> {
        let pair = |(index, &bits): (usize, &u32)| {
            let a = 2 * index as u32;
            Match { a, b: a + 1, score: Score::Hamming(bits) }
        };
        distances.iter().enumerate().map(pair).collect()
    }

    #[test]
    fn the_median_is_that_of_the_sorted_distances() {
        for distances in [&[3][..], &[5, 0, 1], &[9, 2, 7, 2, 0, 8], &[1, 1, 1, 64], &[0, 0], &[]] {
            let mut sorted: Vec<u32> = distances.iter().copied().filter(|&bits| bits > 0).collect();
            sorted.sort_unstable();
            let middle = sorted.get(sorted.len().saturating_sub(1) / 2);
            assert_eq!(median(&pairs(distances)), middle.map(|&bits| f64::from(bits)), "{distances:?}");
        }
    }

    #[test]
    fn examples_are_of_all_kinds_and_none_is_there_twice() {
        let distances: Vec<u32> = (0..40).collect();
        let pairs = pairs(&distances);
        let roots: Vec<u32> = (0..80).map(|document| document / 2 * 2).collect();
        let chosen = ChosenPairs::new(&pairs, &roots);
        assert_eq!(chosen.nearest, [39, 38, 37, 36, 35, 34]);
        assert_eq!(chosen.most_similar, [1, 2, 3, 4, 5, 6], "no copies");
        assert_eq!(chosen.median, [20, 19, 21, 18, 22, 17]);
        let chosen = ChosenPairs::new(&pairs[..3], &[0; 80]);
        assert_eq!((chosen.nearest, chosen.most_similar, chosen.median), (vec![2], vec![1], vec![]));
    }
}
