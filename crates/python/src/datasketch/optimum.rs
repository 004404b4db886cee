//! Bands and rows for a threshold, as datasketch chooses them: the least weighted sum of false positives and negatives.

use super::quadrature::integral;
use lookalike::Options;
use lookalike::Plan;
use pyo3::prelude::*;

/// The number of bands, and the values of a band.
type BandsAndRows = (usize, usize);

/// The weights of false positives and of false negatives.
#[derive(Clone, Copy)]
pub(super) struct ErrorWeights {
    pub(super) positive: f64,
    pub(super) negative: f64,
}

/// The best of these cuts. The first one of equals.
pub(super) fn best(
    cuts: impl Iterator<Item = BandsAndRows>,
    error: impl Fn(BandsAndRows) -> f64,
) -> BandsAndRows {
    let (mut least, mut best) = (f64::INFINITY, (0, 0));
    for cut in cuts {
        let error = error(cut);
        if error < least {
            (least, best) = (error, cut);
        }
    }
    best
}

/// Bands and rows for pairs of a Jaccard similarity of `threshold`.
#[pyfunction]
pub(crate) fn lsh_bands(
    py: Python<'_>,
    threshold: f64,
    num_perm: usize,
    weights: (f64, f64),
) -> BandsAndRows {
    let weights = ErrorWeights { positive: weights.0, negative: weights.1 };
    let cuts = (1..=num_perm).flat_map(|bands| (1..=num_perm / bands).map(move |rows| (bands, rows)));
    py.detach(|| best(cuts, |cut| error(cut, threshold, weights)))
}

fn error((bands, rows): BandsAndRows, threshold: f64, weights: ErrorWeights) -> f64 {
    // Written as in the formulas of datasketch: rounding may decide between cuts.
    let found = |similarity: f64| 1.0 - (1.0 - similarity.powf(rows as f64)).powf(bands as f64);
    let positive = integral(&found, 0.0, threshold);
    let negative = integral(&|similarity| 1.0 - found(similarity), threshold, 1.0);
    positive * weights.positive + negative * weights.negative
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
