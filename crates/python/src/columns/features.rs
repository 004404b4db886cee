//! Features: sketches of them, and the shingles that they are hashes of.

use super::arrays::{binary, check_features, numbers_of_64};
use super::{BLOCK, minhash};
use crate::arrow::Arrays;
use crate::column::Column;
use crate::error;
use crate::input::{ColumnNames, ColumnTexts};
use crate::plan::CheckedPlan;
use crate::wait::Run;
use arrow_array::builder::{FixedSizeBinaryBuilder, ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use lookalike::{Measure, Plan, Sketcher};
use lookalike_corpus::Texts;
use pyo3::prelude::*;
use std::sync::Arc;

/// The signature of each set of features. Null for a set of none.
#[pyfunction]
pub(crate) fn column_of_signatures(
    py: Python<'_>,
    features: &Bound<'_, PyAny>,
    plan: &CheckedPlan,
    run: &Run,
) -> PyResult<Column> {
    let features = binary(features)?;
    let plan = of_shingles(py, minhash(py, plan, "signatures")?, "signatures")?;
    check_features(&features)?;
    let sets = features.as_binary::<i64>();
    let signatures = run.wait(py, |monitor| {
        let mut sketcher = Sketcher::new(plan);
        let mut column = FixedSizeBinaryBuilder::with_capacity(sets.len(), 4 * plan.num_perm() as i32);
        for row in 0..sets.len() {
            if row % BLOCK == 0 {
                monitor.interrupt.check()?;
            }
            let set = if sets.is_valid(row) { sets.value(row) } else { &[] };
            let signature = sketcher.signature(&numbers_of_64(set));
            let bytes: Vec<u8> = signature.iter().flat_map(|value| value.to_le_bytes()).collect();
            match set {
                [] => column.append_null(),
                _ => column.append_value(bytes).unwrap_or_else(|_| column.append_null()),
            }
        }
        Ok(Arc::new(column.finish()) as ArrayRef)
    })?;
    Ok(Column::new(signatures))
}

/// The shingles of each text that count, in the order of its features. Null for a text without any.
#[pyfunction]
pub(crate) fn column_of_shingles(
    py: Python<'_>,
    column: &Bound<'_, PyAny>,
    plan: &CheckedPlan,
    run: &Run,
) -> PyResult<Column> {
    let texts = ColumnTexts::new(vec![Arrays::of(column)?], &ColumnNames::of_text("text"))?;
    let plan = of_shingles(py, plan.plan(py)?, "shingles")?;
    let shingles = run.wait(py, |monitor| {
        let mut sketcher = Sketcher::new(plan);
        let mut column = ListBuilder::new(StringBuilder::new());
        for row in 0..texts.rows() {
            monitor.interrupt.check()?;
            let text = texts.text(row);
            let features = sketcher.features(text).to_vec();
            let mut named: Vec<(u64, &str)> = features.into_iter().zip(sketcher.shingles(text)).collect();
            named.sort_unstable();
            named.dedup_by_key(|(feature, _)| *feature);
            named.iter().for_each(|(_, shingle)| column.values().append_value(shingle));
            column.append(!named.is_empty());
        }
        Ok(Arc::new(column.finish()) as ArrayRef)
    })?;
    Ok(Column::new(shingles))
}

/// Refuses a plan whose features are words, while its signatures are of shingles.
fn of_shingles<'p>(py: Python<'_>, plan: &'p Plan, what: &str) -> PyResult<&'p Plan> {
    match plan.measure() {
        Measure::WordJaccard => {
            let message = format!("{what} are not of the features that measure \"word_jaccard\" compares");
            Err(error::plan(py, "measure", message))
        }
        _ => Ok(plan),
    }
}
