//! The words that are lost if a text is removed and another one is kept.

use super::arrays::{binary, check_features, numbers_of_64, unequal};
use crate::arrow::Arrays;
use crate::input::{ColumnNames, ColumnTexts};
use crate::plan::CheckedPlan;
use crate::table::Table;
use crate::wait::Run;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Int64Array, StringArray};
use lookalike::compare::{Comparer, Uncovered};
use lookalike::{Level, Sketcher};
use lookalike_corpus::Texts;
use pyo3::prelude::*;
use std::sync::Arc;

/// The number of words of each text that no feature shared with `kept` covers, and the first of these words, row for row. A null of `kept`
/// is a set of none.
#[pyfunction]
pub(crate) fn table_of_uncovered(
    py: Python<'_>,
    column: &Bound<'_, PyAny>,
    kept: &Bound<'_, PyAny>,
    plan: &CheckedPlan,
    run: &Run,
) -> PyResult<Table> {
    let texts = ColumnTexts::new(vec![Arrays::of(column)?], &ColumnNames::of_text("text"))?;
    let kept = binary(kept)?;
    check_features(&kept)?;
    if texts.rows() != kept.len() {
        return Err(unequal(texts.rows(), kept.len()));
    }
    plan.refuse_drop_frequent(py, "uncovered words need")?;
    let plan = plan.plan(py)?;
    let (words, excerpts) = run.wait(py, |monitor| {
        let level = Level::detect();
        let (mut sketcher, mut comparer) = (Sketcher::with_level(plan, level), Comparer::with_level(level));
        let (mut words, mut excerpts) = (Vec::new(), Vec::new());
        for row in 0..texts.rows() {
            // A text may be long, so there are no blocks of rows.
            monitor.interrupt.check()?;
            let features = if kept.is_valid(row) { kept.as_binary::<i64>().value(row) } else { &[] };
            comparer.hold(&numbers_of_64(features));
            let uncovered = Uncovered::of(&mut sketcher, texts.text(row), |feature| comparer.holds(feature));
            words.push(uncovered.words as i64);
            excerpts.push(uncovered.excerpt);
        }
        Ok((words, excerpts))
    })?;
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("uncovered_words", Arc::new(Int64Array::from(words))),
        ("uncovered", Arc::new(StringArray::from(excerpts))),
    ];
    Ok(Table::of_columns(columns))
}
