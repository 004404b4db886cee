//! `dedup`: which documents stay.

use crate::decisions::Decisions;
use crate::error;
use crate::index;
use crate::input::{NumberedTexts, Source};
use crate::plan::CheckedPlan;
use crate::wait::Run;
use lookalike_batch::Dedup;
use lookalike_corpus::Inputs;
use lookalike_engine::request::{AgainstContainment, ClusterShape, Keep, UnknownKeep};
use lookalike_engine::threads::in_pool;
use lookalike_report::{Details, dedup_page};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The options of `dedup` beside the plan, as they are given.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct DedupOptions {
    keep: String,
    cluster: String,
    /// Whether only documents that are similar to one of `against` are removed.
    only_against: bool,
    min_containment: Option<f64>,
    against_containment: Option<f64>,
    against_shingles: u32,
    /// Only documents with equal values in these columns or fields are compared.
    within: Vec<String>,
    audit: u64,
    output: Option<PathBuf>,
    report: Option<PathBuf>,
    reasons: bool,
    /// The folder of an index to compare against.
    index: Option<PathBuf>,
    /// Whether the documents are added to it.
    update: bool,
}

/// Decides which documents stay.
#[pyfunction]
pub(crate) fn dedup(
    py: Python<'_>,
    source: &Bound<'_, Source>,
    against: Vec<Bound<'_, Source>>,
    plan: &CheckedPlan,
    options: DedupOptions,
    run: &Run,
) -> PyResult<Decisions> {
    let (index, update) = (options.index.clone(), options.update);
    let mut dedup = job(py, source, against, plan, options, run)?;
    let contained = dedup.against.containment.is_some();
    let (summary, decided) = run.wait(py, move |monitor| {
        if let Some(folder) = &index {
            dedup.compare_with(Arc::new(index::open(folder, update)?));
        }
        let done = dedup.run(monitor)?;
        // An index is written here, on threads that end with the call.
        let mut summary = in_pool(run.threads(), || done.publish(monitor))?;
        let decided = summary.decisions.take();
        Ok((Arc::new(summary), decided))
    })?;
    let decided = decided.ok_or_else(|| PyValueError::new_err("the run returned no decisions"))?;
    let ids = source.get().ids()?;
    let score = plan.score_of_removed();
    Ok(Decisions { summary, decided, ids, score, contained })
}

/// The same decisions with reasons, and a report if the options name one. The texts are read again, and nothing is searched.
#[pyfunction]
pub(crate) fn explain(
    py: Python<'_>,
    source: &Bound<'_, Source>,
    against: Vec<Bound<'_, Source>>,
    plan: &CheckedPlan,
    options: DedupOptions,
    run: &Run,
    decisions: &Decisions,
) -> PyResult<Decisions> {
    let index = options.index.clone();
    let mut dedup = job(py, source, against, plan, options, run)?;
    let decided = run.wait(py, move |monitor| {
        if let Some(folder) = &index {
            dedup.compare_with(Arc::new(index::open(folder, false)?));
        }
        let mut done = dedup.explain_decided(&decisions.decided, monitor)?;
        if let Some(findings) = &done.result().findings {
            let page = dedup_page(&dedup.job.inputs, &dedup.keep, &decisions.summary, findings, false);
            done.write_report(&page, monitor)?;
        }
        Ok(done.publish(monitor)?.decisions)
    })?;
    let Decisions { summary, ids, score, contained, .. } = decisions;
    Ok(Decisions {
        summary: Arc::clone(summary),
        decided,
        ids: ids.clone(),
        score: *score,
        contained: *contained,
    })
}

/// The job of a call, without the index.
fn job(
    py: Python<'_>,
    source: &Bound<'_, Source>,
    against: Vec<Bound<'_, Source>>,
    plan: &CheckedPlan,
    options: DedupOptions,
    run: &Run,
) -> PyResult<Dedup> {
    let documents = source.get();
    let mut job = plan.search_job();
    documents.read_by(&mut job);
    job.audit = plan.audited(py, options.audit)?;
    run.limit(&mut job);
    job.request.within.clone_from(&options.within);
    let mut dedup = Dedup::new(job);
    if options.update && source.get().ids()?.is_none() && !documents.is_files() {
        let folder = options.index.as_deref().unwrap_or(Path::new(""));
        let before = index::open(folder, false).map_err(|error| error::of_job(py, &error))?.documents();
        dedup.job.held = Inputs::of_texts("data", NumberedTexts::new(documents.texts()?, before));
    }
    for (index, against) in against.iter().enumerate() {
        against.get().compared_against(py, &mut dedup, index)?;
    }
    let least_features = options.against_shingles;
    dedup.against.containment =
        options.against_containment.map(|share| AgainstContainment { share, least_features });
    dedup.keep = keep(&options.keep)?;
    dedup.clustering = match options.cluster.as_str() {
        "union" if options.only_against => ClusterShape::Against,
        "union" => ClusterShape::Union,
        "star" => ClusterShape::Star,
        other => return Err(refused("cluster", other, "\"union\" or \"star\"")),
    };
    dedup.min_containment = options.min_containment;
    dedup.output = options.output;
    let ids = documents.is_files() || !against.is_empty() || options.index.is_some();
    dedup.returned = Some(Details { reasons: options.reasons, ids: ids && options.reasons });
    dedup.report = options.report;
    Ok(dedup)
}

/// The policy of a name.
pub(crate) fn keep(name: &str) -> PyResult<Keep> {
    name.parse().map_err(|error: UnknownKeep| PyValueError::new_err(format!("keep is {name:?}; {error}")))
}

fn refused(option: &str, given: &str, allowed: &str) -> PyErr {
    PyValueError::new_err(format!("{option} is {given:?}; it must be {allowed}"))
}
