//! `pairs`: every pair of documents that are similar.

use crate::input::Source;
use crate::plan::CheckedPlan;
use crate::scores::{ScoreColumns, ids_at};
use crate::table::Table;
use crate::wait::Run;
use arrow_array::{ArrayRef, StringArray, UInt64Array};
use lookalike::cluster::UnionFind;
use lookalike_batch::{ListOutput, Pairs};
use lookalike_report::ReturnedPairs;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// Lists every pair of documents that are similar. Returns the list and the summary as JSON.
#[pyfunction]
pub(crate) fn pairs(
    py: Python<'_>,
    source: &Source,
    plan: &CheckedPlan,
    audit: u64,
    limit: u64,
    within: Vec<String>,
    run: &Run,
) -> PyResult<(FoundPairs, String)> {
    let mut job = plan.search_job();
    source.read_by(&mut job);
    job.audit = plan.audited(py, audit)?;
    job.request.within = within;
    run.limit(&mut job);
    let output = ListOutput::Returned { ids: source.is_files() };
    let pairs = Pairs { job, output, limit: Some(limit), report: None };
    let (summary, found) = run.wait(py, |monitor| {
        let mut summary = pairs.run(monitor)?.publish(monitor)?;
        let found = summary.returned.take();
        Ok((serde_json::to_string(&summary).unwrap_or_default(), found))
    })?;
    let found = found.ok_or_else(|| PyValueError::new_err("the run returned no pairs"))?;
    Ok((FoundPairs { found, ids: source.ids()?, score: plan.score() }, summary))
}

/// The pairs that were found.
#[pyclass(frozen)]
pub(crate) struct FoundPairs {
    found: ReturnedPairs,
    /// The ids of all rows, as they were given.
    ids: Option<ArrayRef>,
    /// The columns of the similarity.
    score: ScoreColumns,
}

#[pymethods]
impl FoundPairs {
    /// The pairs, ordered by rows.
    fn table(&self) -> PyResult<Table> {
        let ReturnedPairs { pairs, ids, .. } = &self.found;
        let a: UInt64Array = pairs.iter().map(|pair| Some(self.found.row(pair.a))).collect();
        let b: UInt64Array = pairs.iter().map(|pair| Some(self.found.row(pair.b))).collect();
        let mut columns: Vec<(&str, ArrayRef)> = Vec::new();
        if let Some(ids) = &self.ids {
            columns.extend([("a_id", ids_at(ids, &a)?), ("b_id", ids_at(ids, &b)?)]);
        } else if !ids.is_empty() {
            let named =
                |side: usize| Arc::new(ids.iter().map(|ids| Some(&ids[side])).collect::<StringArray>());
            columns.extend([("a_id", named(0) as ArrayRef), ("b_id", named(1) as ArrayRef)]);
        }
        columns.insert(0, ("a", Arc::new(a)));
        columns.insert(1, ("b", Arc::new(b)));
        columns.extend(self.score.columns(pairs.iter().map(|pair| Some(pair.score))));
        Ok(Table::of_columns(columns))
    }

    /// The rows of each cluster that the pairs connect.
    fn clusters(&self, py: Python<'_>) -> Vec<Vec<u64>> {
        py.detach(|| {
            let mut sets = UnionFind::new(self.found.documents as usize);
            self.found.pairs.iter().for_each(|pair| sets.unite(pair.a, pair.b));
            let rows =
                |documents: &[u32]| documents.iter().map(|&document| self.found.row(document)).collect();
            sets.into_buckets().iter().map(rows).collect()
        })
    }
}
