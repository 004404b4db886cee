//! `tune`: which settings a corpus needs.

use crate::error;
use crate::input::Source;
use crate::plan::CheckedPlan;
use crate::wait::Run;
use lookalike::{Method, Plan, Scheme};
use lookalike_batch::{Question, Tune};
use pyo3::prelude::*;
use serde_json::json;
use std::num::NonZeroUsize;

/// Recommends settings. Returns the answer as JSON, in which the options of a setting are JSON too, and the summary as JSON.
#[pyfunction]
pub(crate) fn tune(
    py: Python<'_>,
    source: &Source,
    plan: &CheckedPlan,
    sample: NonZeroUsize,
    tolerate: Option<f64>,
    table: bool,
    run: &Run,
) -> PyResult<(String, String)> {
    let question = match tolerate {
        Some(share) if !(share > 0.0 && share < 1.0) => {
            return Err(error::plan(
                py,
                "tolerate",
                format!("tolerate is {share}; it must be above 0 and below 1"),
            ));
        }
        Some(share) => Question::Tolerance(share),
        None if table => Question::Experiment,
        None => Question::Settings,
    };
    plan.refuse_drop_frequent(py, "tune compares")?;
    plan.refuse_estimates(py, "tune")?;
    let mut job = plan.job(py)?;
    source.read_by(&mut job);
    run.limit(&mut job);
    // A sample is compared in memory.
    job.memory = None;
    let tune = Tune { job, options: plan.given.clone(), sample, question, name_setting };
    run.wait(py, |monitor| {
        let (tuning, summary) = tune.run(monitor)?.publish(monitor)?;
        Ok((
            serde_json::to_string(&tuning).unwrap_or_default(),
            serde_json::to_string(&summary).unwrap_or_default(),
        ))
    })
}

/// The options of a setting, as keywords of a call.
fn name_setting(plan: &Plan) -> String {
    let keywords = match plan.method() {
        Method::Exact => json!({ "method": "exact" }),
        Method::SimHash => json!({ "method": "simhash", "verify": true }),
        Method::MinHash => {
            let (banding, num_perm) = (plan.banding(), plan.num_perm());
            let mut keywords = json!({ "num_perm": num_perm, "bands": banding.bands, "rows": banding.rows });
            if plan.scheme() != Scheme::default() {
                keywords["scheme"] = plan.scheme().name().into();
            }
            keywords
        }
    };
    keywords.to_string()
}
