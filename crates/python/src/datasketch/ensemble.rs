//! Numbers of a `MinHashLSHEnsemble`: bands and rows for containment, and partitions of the sizes of sets.
//!
//! Source: Zhu and others, "LSH Ensemble: internet-scale domain search", 2016.

use super::numbers::pairwise_sum;
use super::optimum::{ErrorWeights, best};
use super::quadrature::integral;
use pyo3::prelude::*;

/// Bands and rows for a containment of `threshold`, at a ratio `x / q` of the sizes of an indexed set and the query.
#[pyfunction]
pub(crate) fn ensemble_bands(
    py: Python<'_>,
    threshold: f64,
    num_perm: usize,
    most_rows: usize,
    ratio: f64,
    weights: (f64, f64),
) -> (usize, usize) {
    let weights = ErrorWeights { positive: weights.0, negative: weights.1 };
    let rows = move |bands: usize| 1..=most_rows.min(num_perm / bands);
    let cuts = (1..=num_perm).flat_map(|bands| rows(bands).map(move |rows| (bands, rows)));
    let error = |(bands, rows): (usize, usize)| {
        let found = |containment: f64| {
            let similarity = containment / (1.0 + ratio - containment);
            1.0 - (1.0 - similarity.powf(rows as f64)).powf(bands as f64)
        };
        let positive = integral(&found, 0.0, if ratio >= threshold { threshold } else { ratio });
        let missed = |containment: f64| 1.0 - found(containment);
        let negative = if ratio >= 1.0 {
            integral(&missed, threshold, 1.0)
        } else if ratio >= threshold {
            integral(&missed, threshold, ratio)
        } else {
            0.0
        };
        positive * weights.positive + negative * weights.negative
    };
    py.detach(|| best(cuts, error))
}

/// The least and the greatest size of each partition, such that the fewest false positives are expected.
///
/// `sizes` are distinct and ascend; `counts` says how many sets have each.
#[pyfunction]
pub(crate) fn ensemble_partitions(
    py: Python<'_>,
    sizes: Vec<u64>,
    counts: Vec<u64>,
    partitions: usize,
) -> Vec<(u64, u64)> {
    let last = sizes.len() - 1;
    if partitions < 2 {
        return vec![(sizes[0], sizes[last])];
    }
    if partitions >= sizes.len() {
        return sizes.iter().map(|&size| (size, size)).collect();
    }
    let ends = py.detach(|| ends(&sizes, &counts, partitions));
    let starts = std::iter::once(0).chain(ends.iter().map(|end| end + 1));
    starts.zip(ends.iter().copied().chain([last])).map(|(start, end)| (sizes[start], sizes[end])).collect()
}

/// The index of the last size of each partition but the last one, by dynamic programming.
fn ends(sizes: &[u64], counts: &[u64], partitions: usize) -> Vec<usize> {
    let last = sizes.len() - 1;
    // Expected false positives of a partition from `start` to `end`.
    let cost = |start: usize, end: usize| {
        let upper = sizes[end] as f64;
        let terms = (start..=end).map(|index| (upper - sizes[index] as f64) / upper * counts[index] as f64);
        pairwise_sum(&terms.collect::<Vec<_>>())
    };
    let costs: Vec<Vec<f64>> =
        (0..=last).map(|start| (start..=last).map(|end| cost(start, end)).collect()).collect();
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
