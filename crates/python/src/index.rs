//! An index in a folder: documents that were seen before, which outlast the process.
//!
//! Every call opens the folder, and closes it at its end. So an index is one more file for Python: it may be pickled by its path and used
//! after a fork.

use crate::error;
use crate::plan::CheckedPlan;
use crate::wait::Run;
use lookalike_batch::{Dedup, Error, Job};
use lookalike_corpus::Inputs;
use lookalike_engine::Error as EngineError;
use lookalike_engine::index::{Index, IndexSummary, NewIndex, Verify};
use lookalike_engine::threads::in_pool;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Opens an index, to be searched or to be added to.
pub(crate) fn open(folder: &Path, to_add: bool) -> Result<Index, Error> {
    let opened = if to_add { Index::open_to_add(folder) } else { Index::open(folder) };
    Ok(opened.map_err(EngineError::from)?)
}

/// Makes an empty index.
#[pyfunction]
pub(crate) fn index_create(
    py: Python<'_>,
    folder: PathBuf,
    plan: &CheckedPlan,
    store_texts: bool,
    run: &Run,
) -> PyResult<()> {
    let (plan, frequencies) = (plan.plan(py)?.clone(), plan.table_of_weights());
    run.wait(py, |monitor| {
        in_pool(run.threads(), || {
            let new = NewIndex { plan: plan.clone(), stores_texts: store_texts, frequencies };
            let index = Index::create(&folder, new).map_err(EngineError::from)?;
            // The folder becomes an index when something is added, be it nothing.
            let mut job = Job::new(Vec::new(), plan.clone());
            job.held = Inputs::of_texts("nothing", Vec::<String>::new());
            job.threads = run.threads();
            let mut dedup = Dedup::new(job);
            dedup.compare_with(Arc::new(index));
            dedup.run(monitor)?.publish(monitor).map(drop)
        })
    })
}

/// The plan of an index.
#[pyfunction]
pub(crate) fn index_plan(py: Python<'_>, folder: PathBuf) -> PyResult<CheckedPlan> {
    let opened: Result<NewIndex, Error> = py.detach(|| Ok(open(&folder, false)?.made_with()));
    CheckedPlan::of_index(py, opened.map_err(|error| error::of_job(py, &error))?)
}

/// The content of an index as JSON, with every byte verified if that is wanted.
#[pyfunction]
pub(crate) fn index_info(py: Python<'_>, folder: PathBuf, verify: bool, run: &Run) -> PyResult<String> {
    let verify = if verify { Verify::Everything } else { Verify::Outline };
    run.wait(py, |monitor| {
        let read = || Ok::<_, Error>(IndexSummary::read(&folder, verify, monitor)?);
        let summary = in_pool(run.threads(), read)?;
        Ok(serde_json::to_string(&summary).unwrap_or_default())
    })
}
