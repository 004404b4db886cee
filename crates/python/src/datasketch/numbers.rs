//! The numbers that indexes are made with: bands and rows, and partitions of the sizes of sets.

use lookalike::{Options, Plan};
use lookalike_datasketch::{
    ErrorWeights, bands_for_containment, bands_for_threshold, partitions as best_partitions,
};
use pyo3::prelude::*;

/// The number of bands, and the values of a band.
type BandsAndRows = (usize, usize);

/// Bands and rows for pairs of a Jaccard similarity of `threshold`.
#[pyfunction]
pub(crate) fn lsh_bands(
    py: Python<'_>,
    threshold: f64,
    num_perm: usize,
    weights: (f64, f64),
) -> BandsAndRows {
    py.detach(|| bands_for_threshold(threshold, num_perm, error_weights(weights)))
}

/// Bands and rows that find a pair at `threshold` with a probability of at least `recall`.
#[pyfunction]
pub(crate) fn lsh_bands_of_recall(
    py: Python<'_>,
    threshold: f64,
    num_perm: usize,
    recall: f64,
) -> PyResult<BandsAndRows> {
    let options = Options {
        threshold: Some(threshold),
        num_perm: Some(num_perm),
        recall: Some(recall),
        ..Options::default()
    };
    let plan: Plan = options.plan().map_err(|error| crate::error::of_plan(py, &error))?;
    Ok((plan.banding().bands, plan.banding().rows))
}

/// Bands and rows for a containment of `threshold`, at a ratio `x / q` of the sizes of an indexed set and the query.
#[pyfunction]
pub(crate) fn ensemble_bands(
    py: Python<'_>,
    threshold: f64,
    num_perm: usize,
    most_rows: usize,
    ratio: f64,
    weights: (f64, f64),
) -> BandsAndRows {
    let weights = error_weights(weights);
    py.detach(|| bands_for_containment(threshold, num_perm, most_rows, ratio, weights))
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
    let sizes: Vec<(u64, u64)> = sizes.into_iter().zip(counts).collect();
    py.detach(|| best_partitions(&sizes, partitions))
}

fn error_weights((positive, negative): (f64, f64)) -> ErrorWeights {
    ErrorWeights { positive, negative }
}
