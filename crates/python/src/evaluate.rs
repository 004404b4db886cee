//! `evaluate`: how far two lists agree.

use crate::wait::Run;
use lookalike_batch::Evaluate;
use pyo3::prelude::*;
use std::path::PathBuf;

/// Compares the list in one file with that in another, and writes the differences to files. Returns the evaluation as JSON.
#[pyfunction]
pub(crate) fn evaluate(
    py: Python<'_>,
    found: String,
    truth: String,
    documents: Option<u32>,
    wrong: PathBuf,
    missing: PathBuf,
    run: &Run,
) -> PyResult<String> {
    let evaluate = Evaluate {
        found,
        truth,
        documents,
        wrong: Some(wrong),
        missing: Some(missing),
        summary: None,
        settings: None,
        read: Vec::new(),
        threads: run.threads(),
        strict: true,
    };
    run.wait(py, |monitor| {
        let summary = evaluate.run(monitor)?.publish(monitor)?;
        Ok(serde_json::to_string(&summary.evaluation).unwrap_or_default())
    })
}
