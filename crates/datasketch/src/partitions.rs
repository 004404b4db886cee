//! Partitions of the sizes of sets, which a `MinHashLSHEnsemble` keeps apart.
//!
//! Source: Zhu and others, "LSH Ensemble: internet-scale domain search", 2016.

use super::sums::pairwise_sum;

/// A size, and how many sets have it.
type SizeAndCount = (u64, u64);

/// The least and the greatest size of each partition, such that the fewest false positives are expected.
///
/// Sizes are distinct and ascend. There are fewer partitions if there are not enough sizes.
pub fn partitions(sizes: &[SizeAndCount], most: usize) -> Vec<(u64, u64)> {
    let Some(last) = sizes.len().checked_sub(1) else { return Vec::new() };
    if most < 2 {
        return vec![(sizes[0].0, sizes[last].0)];
    }
    if most >= sizes.len() {
        return sizes.iter().map(|&(size, _)| (size, size)).collect();
    }
    let ends = ends(sizes, most);
    let starts = std::iter::once(0).chain(ends.iter().map(|end| end + 1));
    starts
        .zip(ends.iter().copied().chain([last]))
        .map(|(start, end)| (sizes[start].0, sizes[end].0))
        .collect()
}

/// The index of the last size of each partition but the last one, by dynamic programming.
fn ends(sizes: &[SizeAndCount], partitions: usize) -> Vec<usize> {
    let last = sizes.len() - 1;
    let costs: Vec<Vec<f64>> =
        (0..=last).map(|start| (start..=last).map(|end| cost(&sizes[start..=end])).collect()).collect();
    let cost = |start: usize, end: usize| costs[start][end - start];
    // The least cost of the sizes up to an end, for each number of partitions, from one on. An end that leaves a partition
    // empty costs nothing.
    let mut least: Vec<Vec<f64>> = vec![(0..=last).map(|end| cost(0, end)).collect()];
    let best = |before: &[f64], splits: std::ops::Range<usize>, end: usize| {
        let costs = splits.map(|split| (before[split] + cost(split + 1, end), split));
        costs.fold((f64::INFINITY, 0), |best, split| if split.0 < best.0 { split } else { best })
    };
    for parts in 2..partitions {
        let before = &least[parts - 2];
        let of = |end: usize| if end < parts - 1 { 0.0 } else { best(before, parts - 2..end, end).0 };
        let row = (0..=last).map(of).collect();
        least.push(row);
    }
    let mut end = best(&least[partitions - 2], partitions - 2..last, last).1;
    let mut ends = vec![end];
    // datasketch looks into the row of `parts` partitions here, and not into the one before. So the partitions are not
    // always the best ones, but the same as there.
    for parts in (2..partitions).rev() {
        end = best(&least[parts - 1], parts - 2..end, end).1;
        ends.push(end);
    }
    ends.reverse();
    ends
}

/// The false positives that are expected of a partition of these sizes.
fn cost(sizes: &[SizeAndCount]) -> f64 {
    let upper = sizes.last().map_or(0.0, |&(size, _)| size as f64);
    let terms = sizes.iter().map(|&(size, count)| (upper - size as f64) / upper * count as f64);
    pairwise_sum(&terms.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    const SIZES: [SizeAndCount; 10] =
        [(1, 5), (2, 4), (3, 3), (10, 9), (11, 1), (12, 1), (50, 7), (51, 2), (100, 8), (400, 1)];

    /// Those of `datasketch.lshensemble_partition.optimal_partitions`, version 2.0.
    #[test]
    fn partitions_are_those_of_datasketch() {
        assert_eq!(partitions(&SIZES, 1), [(1, 400)]);
        assert_eq!(partitions(&SIZES, 2), [(1, 10), (11, 400)]);
        assert_eq!(partitions(&SIZES, 3), [(1, 12), (50, 100), (400, 400)]);
        assert_eq!(partitions(&SIZES, 4), [(1, 10), (11, 51), (100, 100), (400, 400)]);
        assert_eq!(partitions(&SIZES, 5), [(1, 3), (10, 10), (11, 51), (100, 100), (400, 400)]);
    }

    #[test]
    fn the_first_of_equal_partitions_is_taken() {
        // A set of 2 beside one of 4, or a set of 1 beside one of 2: half a false positive each.
        assert_eq!(partitions(&[(1, 1), (2, 1), (4, 1)], 2), [(1, 1), (2, 4)]);
    }

    #[test]
    fn every_size_has_a_partition_of_its_own_if_there_are_enough() {
        for most in [10, 11, 100] {
            assert_eq!(partitions(&SIZES, most), SIZES.map(|(size, _)| (size, size)));
        }
        assert_eq!(partitions(&[], 3), []);
    }

    fn sizes() -> impl Strategy<Value = Vec<SizeAndCount>> {
        let counts = prop::collection::btree_map(1_u64..1000, 1_u64..50, 1..30);
        counts.prop_map(|counts| counts.into_iter().collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            rng_seed: RngSeed::Fixed(1),
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn partitions_hold_every_size_once(sizes in sizes(), most in 1_usize..12) {
            let partitions = partitions(&sizes, most);
            prop_assert_eq!(partitions.len(), most.min(sizes.len()));
            let sizes: Vec<u64> = sizes.iter().map(|&(size, _)| size).collect();
            let of = |&(lower, upper): &(u64, u64)| {
                sizes.iter().copied().filter(move |size| (lower..=upper).contains(size))
            };
            prop_assert_eq!(partitions.iter().flat_map(of).collect::<Vec<_>>(), sizes);
        }

        // With three and more, datasketch does not always find the best ones.
        #[test]
        fn no_other_two_partitions_cost_less(sizes in sizes()) {
            prop_assume!(sizes.len() > 2);
            let chosen = ends(&sizes, 2)[0];
            let total = |end: usize| cost(&sizes[..=end]) + cost(&sizes[end + 1..]);
            let least = (0..sizes.len() - 1).map(total).fold(f64::INFINITY, f64::min);
            prop_assert_eq!(total(chosen), least);
        }
    }
}
