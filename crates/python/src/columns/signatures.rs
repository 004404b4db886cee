//! Values of signatures and of features, which the other functions have made.

use super::BLOCK;
use super::arrays::{binary, both, check_features, check_sizes, numbers, numbers_of_64};
use super::minhash;
use crate::column::Column;
use crate::plan::CheckedPlan;
use crate::wait::Run;
use arrow_array::builder::{Int64Builder, ListBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Float64Array};
use lookalike::compare::{Set, Verifier};
use lookalike::sketch::band_keys;
use lookalike_batch::Error;
use pyo3::prelude::*;
use std::sync::Arc;

/// The keys of the bands of signatures.
#[pyfunction]
pub(crate) fn column_of_band_keys(
    py: Python<'_>,
    signatures: &Bound<'_, PyAny>,
    plan: &CheckedPlan,
    run: &Run,
) -> PyResult<Column> {
    let signatures = binary(signatures)?;
    let plan = minhash(py, plan, "band keys")?;
    check_sizes(&signatures, 4 * plan.num_perm())?;
    let banding = plan.banding();
    let keys = run.wait(py, |monitor| {
        let mut column = ListBuilder::new(Int64Builder::new());
        for row in 0..signatures.len() {
            if row % BLOCK == 0 {
                monitor.interrupt.check()?;
            }
            let values: Vec<u32> = numbers(signatures.as_binary::<i64>().value(row));
            if signatures.is_valid(row) {
                let keys = band_keys(banding.rows, &values).take(banding.bands);
                keys.for_each(|key| column.values().append_value(key as i64));
            }
            column.append(signatures.is_valid(row));
        }
        Ok(Arc::new(column.finish()) as ArrayRef)
    })?;
    Ok(Column::new(keys))
}

/// The exact similarity of two columns of features, or null below the threshold.
#[pyfunction]
pub(crate) fn column_of_similarities(
    py: Python<'_>,
    left: &Bound<'_, PyAny>,
    right: &Bound<'_, PyAny>,
    plan: &CheckedPlan,
    run: &Run,
) -> PyResult<Column> {
    let (left, right) = both(left, right)?;
    check_features(&left)?;
    check_features(&right)?;
    let plan = plan.plan(py)?;
    let mut verifier = Verifier::new(lookalike::Level::detect(), plan.measure(), plan.threshold());
    let of_row = |row: usize| {
        let [left, right] = [&left, &right].map(|column| numbers_of_64(column.as_binary::<i64>().value(row)));
        let set = |features| Set { features, weights: &[] };
        verifier.hold(set(&left)).reaches(set(&right)).map(|similarity| similarity.value())
    };
    of_pairs::<_, Float64Array>(py, run, [&left, &right], of_row)
}

/// The share of equal values of two columns of signatures.
#[pyfunction]
pub(crate) fn column_of_estimates(
    py: Python<'_>,
    left: &Bound<'_, PyAny>,
    right: &Bound<'_, PyAny>,
    run: &Run,
) -> PyResult<Column> {
    let (left, right) = both(left, right)?;
    let of_row = |row: usize| {
        let [left, right] = [&left, &right].map(|column| numbers(column.as_binary::<i64>().value(row)));
        let equal = left.iter().zip(&right).filter(|(a, b)| a == b).count();
        (left.len() == right.len() && !left.is_empty()).then(|| equal as f64 / left.len() as f64)
    };
    of_pairs::<_, Float64Array>(py, run, [&left, &right], of_row)
}

/// A value for each row in which both columns have one.
pub(super) fn of_pairs<T, A: Array + FromIterator<Option<T>> + 'static>(
    py: Python<'_>,
    run: &Run,
    columns: [&ArrayRef; 2],
    mut of_row: impl FnMut(usize) -> Option<T> + Send,
) -> PyResult<Column> {
    let values = run.wait(py, |monitor| {
        let value = |row| {
            if row % BLOCK == 0 {
                monitor.interrupt.check()?;
            }
            Ok(if columns.iter().all(|column| column.is_valid(row)) { of_row(row) } else { None })
        };
        (0..columns[0].len()).map(value).collect::<Result<A, Error>>()
    })?;
    Ok(Column::new(Arc::new(values)))
}
