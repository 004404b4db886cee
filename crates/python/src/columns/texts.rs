//! A value for each text.

use super::BLOCK;
use crate::arrow::Arrays;
use crate::column::Column;
use crate::error;
use crate::input::{ColumnNames, ColumnTexts};
use crate::plan::CheckedPlan;
use crate::wait::Run;
use arrow_array::ArrayRef;
use arrow_array::builder::{BinaryBuilder, FixedSizeBinaryBuilder, UInt64Builder};
use lookalike::simhash::FingerprintParts;
use lookalike::{Bits, Fingerprinter, Method, Plan, Sketcher, Weights};
use lookalike_batch::Error;
use lookalike_corpus::Texts;
use lookalike_engine::progress::Monitor;
use pyo3::prelude::*;
use std::sync::Arc;

/// One value for each text: `what` is sketch, fingerprint, features or content.
#[pyfunction]
pub(crate) fn column_of_texts(
    py: Python<'_>,
    what: &str,
    column: &Bound<'_, PyAny>,
    plan: &CheckedPlan,
    run: &Run,
) -> PyResult<Column> {
    let texts = ColumnTexts::new(vec![Arrays::of(column)?], &ColumnNames::of_text("text"))?;
    let needed = if what == "fingerprint" { Method::SimHash } else { Method::MinHash };
    if matches!(what, "sketch" | "fingerprint") && plan.plan(py)?.method() != needed {
        let message = format!("{what} needs a plan of method {:?}", needed.name());
        return Err(error::plan(py, "method", message));
    }
    let weights = weights(py, plan)?;
    let plan = plan.plan(py)?;
    run.wait(py, |monitor| match what {
        "sketch" => signatures(&texts, plan, monitor),
        "fingerprint" => fingerprints(&texts, plan, &weights, monitor),
        "features" => features(&texts, plan, monitor),
        _ => contents(&texts, plan, monitor),
    })
    .map(Column::new)
}

/// A column of texts. `None` is a null.
#[pyfunction]
pub(crate) fn column_of_list(texts: Vec<Option<String>>) -> Column {
    Column::new(Arc::new(texts.into_iter().collect::<arrow_array::LargeStringArray>()))
}

/// The weights of a plan, with the tables that it has.
fn weights(py: Python<'_>, plan: &CheckedPlan) -> PyResult<Weights> {
    let request = plan.job(py)?.request;
    Ok(match (request.plan.weights(), request.frequencies) {
        (Some(weights), _) => weights,
        (None, Some(frequencies)) => Weights::TfIdf(frequencies),
        (None, None) => Weights::Set,
    })
}

fn rows<'t>(texts: &'t ColumnTexts, monitor: &Monitor, mut each: impl FnMut(&'t str)) -> Result<(), Error> {
    for row in 0..texts.rows() {
        if row % BLOCK == 0 {
            monitor.interrupt.check()?;
        }
        each(texts.text(row));
    }
    Ok(())
}

fn signatures(texts: &ColumnTexts, plan: &Plan, monitor: &Monitor) -> Result<ArrayRef, Error> {
    let mut sketcher = Sketcher::new(plan);
    let mut column = FixedSizeBinaryBuilder::with_capacity(texts.rows(), 4 * plan.num_perm() as i32);
    rows(texts, monitor, |text| {
        let sketch = sketcher.sketch(text);
        if sketch.features.is_empty() {
            return column.append_null();
        }
        let bytes: Vec<u8> = sketch.signature.iter().flat_map(|value| value.to_le_bytes()).collect();
        column.append_value(bytes).unwrap_or_else(|_| column.append_null());
    })?;
    Ok(Arc::new(column.finish()))
}

fn fingerprints(
    texts: &ColumnTexts,
    plan: &Plan,
    weights: &Weights,
    monitor: &Monitor,
) -> Result<ArrayRef, Error> {
    let (mut sketcher, mut fingerprinter) = (Sketcher::new(plan), Fingerprinter::new(plan, weights));
    let (mut narrow, mut wide) = (UInt64Builder::new(), FixedSizeBinaryBuilder::new(16));
    let is_narrow = plan.simhash().is_none_or(|simhash| simhash.bits == Bits::B64);
    rows(texts, monitor, |text| {
        let features = sketcher.features(text);
        let parts: FingerprintParts = fingerprinter.fingerprint(features).into();
        let value = Some(parts.value).filter(|_| !features.is_empty());
        if is_narrow {
            narrow.append_option(value.map(|value| value as u64));
            return;
        }
        match value {
            Some(value) => wide.append_value(value.to_be_bytes()).unwrap_or_else(|_| wide.append_null()),
            None => wide.append_null(),
        }
    })?;
    if is_narrow { Ok(Arc::new(narrow.finish())) } else { Ok(Arc::new(wide.finish())) }
}

fn features(texts: &ColumnTexts, plan: &Plan, monitor: &Monitor) -> Result<ArrayRef, Error> {
    let (mut sketcher, mut column) = (Sketcher::new(plan), BinaryBuilder::new());
    rows(texts, monitor, |text| {
        let mut features = sketcher.compared(text).to_vec();
        if features.is_empty() {
            return column.append_null();
        }
        features.sort_unstable();
        features.dedup();
        column.append_value(features.iter().flat_map(|feature| feature.to_le_bytes()).collect::<Vec<u8>>());
    })?;
    Ok(Arc::new(column.finish()))
}

fn contents(texts: &ColumnTexts, plan: &Plan, monitor: &Monitor) -> Result<ArrayRef, Error> {
    let (mut sketcher, mut column) = (Sketcher::new(plan), FixedSizeBinaryBuilder::new(16));
    rows(texts, monitor, |text| {
        let (features, content) = sketcher.features_and_content(text);
        if features.is_empty() {
            return column.append_null();
        }
        let [first, second, _] = content.to_parts();
        let bytes = [first.to_be_bytes(), second.to_be_bytes()].concat();
        column.append_value(bytes).unwrap_or_else(|_| column.append_null());
    })?;
    Ok(Arc::new(column.finish()))
}
