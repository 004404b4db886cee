//! `similar`: the documents that are most similar to a text.

use crate::input::Source;
use crate::plan::CheckedPlan;
use crate::scores::ids_at;
use crate::table::Table;
use crate::wait::Run;
use arrow_array::{ArrayRef, StringArray, UInt64Array};
use lookalike_batch::{ListOutput, Similar};
use pyo3::prelude::*;
use std::sync::Arc;

/// Lists the documents that are most similar to a text. Returns the list and the summary as JSON.
#[pyfunction]
pub(crate) fn similar(
    py: Python<'_>,
    query: String,
    source: &Source,
    count: usize,
    plan: &CheckedPlan,
    hamming: Option<u32>,
    run: &Run,
) -> PyResult<(Table, String)> {
    plan.refuse_estimates(py, "similar")?;
    let mut job = plan.job(py)?;
    source.read_by(&mut job);
    run.limit(&mut job);
    let output = ListOutput::Returned { ids: source.is_files() };
    let similar = Similar { job, query, count, within: hamming, output };
    let (summary, documents) = run.wait(py, |monitor| {
        let mut summary = similar.run(monitor)?.publish(monitor)?;
        let documents = summary.returned.take().unwrap_or_default();
        Ok((serde_json::to_string(&summary).unwrap_or_default(), documents))
    })?;
    let mut columns: Vec<(&str, ArrayRef)> = Vec::new();
    if source.is_files() {
        let ids = documents.iter().map(|document| Some(document.id.as_str()));
        columns.push(("id", Arc::new(ids.collect::<StringArray>())));
    } else {
        let rows: UInt64Array = documents.iter().map(|document| Some(document.row)).collect();
        let ids = source.ids()?.map(|ids| ids_at(&ids, &rows)).transpose()?;
        columns.push(("row", Arc::new(rows)));
        columns.extend(ids.map(|ids| ("id", ids)));
    }
    columns.extend(plan.score().columns(documents.iter().map(|document| Some(document.score))));
    Ok((Table::of_columns(columns), summary))
}
