//! Audits: the documents that are similar to a few sampled ones, with none missed, and the share of them that a search found.

use super::BLOCK;
use super::arrays::{binary, check_features, numbers_of_64};
use crate::error;
use crate::plan::CheckedPlan;
use crate::table::Table;
use crate::wait::Run;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Int64Array};
use lookalike::compare::Set;
use lookalike::quality::{DocumentPairs, Recall};
use lookalike::search::{ComparedFeatures, Counting, Queries};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// The pairs of `sampled` and `features` whose similarity reaches the threshold, as rows of the two columns. A null is similar to none.
#[pyfunction]
pub(crate) fn table_of_partners(
    py: Python<'_>,
    sampled: &Bound<'_, PyAny>,
    features: &Bound<'_, PyAny>,
    plan: &CheckedPlan,
    run: &Run,
) -> PyResult<Table> {
    let (sampled, features) = (binary(sampled)?, binary(features)?);
    check_features(&sampled)?;
    check_features(&features)?;
    let plan = plan.plan(py)?;
    if plan.compares_weights() {
        return Err(error::plan(py, "weights", "partners are compared without weights"));
    }
    let bytes: usize = (0..sampled.len()).map(|row| sampled.as_binary::<i64>().value(row).len()).sum();
    if bytes / 8 > u32::MAX as usize {
        return Err(PyValueError::new_err("the sampled documents have 2^32 features or more: take fewer"));
    }
    let (documents, partners) = run.wait(py, |monitor| {
        let set = |column: &ArrayRef, row| match column.is_valid(row) {
            true => numbers_of_64(column.as_binary::<i64>().value(row)),
            false => Vec::new(),
        };
        let compared = |row| ComparedFeatures::from(Set { features: &set(&sampled, row), weights: &[] });
        let queries = Queries::new(plan.measure(), (0..sampled.len()).map(compared).collect());
        let mut counting = Counting::default();
        let (mut documents, mut partners) = (Vec::new(), Vec::new());
        for row in 0..features.len() {
            if row % BLOCK == 0 {
                monitor.interrupt.check()?;
            }
            let features = set(&features, row);
            let mut similar = Vec::new();
            queries.compare(Set { features: &features, weights: &[] }, &mut counting, |query, similarity| {
                if plan.measure().reaches(plan.threshold(), similarity) {
                    similar.push(i64::from(query));
                }
            });
            similar.sort_unstable();
            partners.resize(partners.len() + similar.len(), row as i64);
            documents.append(&mut similar);
        }
        Ok((documents, partners))
    })?;
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("sampled", Arc::new(Int64Array::from(documents))),
        ("partner", Arc::new(Int64Array::from(partners))),
    ];
    Ok(Table::of_columns(columns))
}

/// The share of the pairs of sampled documents that a search found, and its interval of 95 %: see [`Recall::of_sample`]. `None` if there
/// are no pairs. `sampled` has the found pairs and all pairs of each sampled document.
#[pyfunction]
pub(crate) fn recall_of_sample(sampled: Vec<(u64, u64)>, spread: f64) -> Option<(f64, f64, f64)> {
    let sampled: Vec<DocumentPairs> =
        sampled.into_iter().map(|(found, all)| DocumentPairs { found, all }).collect();
    Recall::of_sample(&sampled, spread).map(|Recall { recall, low, high }| (recall, low, high))
}
