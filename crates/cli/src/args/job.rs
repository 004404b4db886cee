//! The job of a command, from its arguments.

use super::index_plan::{check_drop_frequent, check_frequencies, check_levels, check_options};
use super::options::{FieldArgs, RunArgs, SimilarityArgs};
use super::usage::Usage;
use lookalike::{Level, Plan};
use lookalike_batch::Job;
use lookalike_engine::index::Index;
use lookalike_engine::request::{Affordable, Request};

/// The job of a run by the plan of the options.
pub(crate) fn job(
    inputs: Vec<String>,
    fields: FieldArgs,
    similarity: &SimilarityArgs,
    run: &RunArgs,
) -> anyhow::Result<Job> {
    let auto = similarity.is_auto().then(Affordable::default);
    let plan = similarity.plan()?;
    let mut job = job_by(plan.clone(), auto, inputs, fields, similarity, run)?;
    job.request.frequencies = similarity.frequencies(&plan)?;
    job.request.drop_frequent = similarity.drop_frequent();
    Ok(job)
}

/// The job of a run by the plan of `index`. Options that contradict this plan are an error.
pub(crate) fn job_beside(
    index: &Index,
    inputs: Vec<String>,
    fields: FieldArgs,
    similarity: &SimilarityArgs,
    run: &RunArgs,
) -> anyhow::Result<Job> {
    let plan = index.plan();
    check_options(&similarity.options_beside(plan)?, plan, &index.folder().display().to_string())?;
    let made = index.made_with();
    check_drop_frequent(similarity, plan, &index.folder().display().to_string())?;
    check_frequencies(similarity, &made, &index.folder().display().to_string())?;
    check_levels(similarity, plan, &index.folder().display().to_string())?;
    let mut job = job_by(index.plan().clone(), None, inputs, fields, similarity, run)?;
    job.request.frequencies = made.frequencies;
    job.read.extend(index.files());
    job.read.push(index.folder().to_owned());
    Ok(job)
}

fn job_by(
    plan: Plan,
    auto: Option<Affordable>,
    inputs: Vec<String>,
    fields: FieldArgs,
    similarity: &SimilarityArgs,
    run: &RunArgs,
) -> anyhow::Result<Job> {
    run.check_summary()?;
    let quoting = fields.quoting()?;
    let request = Request {
        auto,
        text_fields: fields.text_fields()?,
        level: level()?,
        strict: fields.strict,
        ..Request::new(plan.clone())
    };
    Ok(Job {
        request,
        id_field: fields.id_field,
        delimiter: fields.delimiter,
        quoting,
        extract: fields.extract.extract(),
        all_records: fields.all_records,
        threads: run.threads(),
        max_record: fields.max_record,
        summary: run.summary.clone(),
        settings: run.settings.clone(),
        read: similarity.files().into_iter().chain(run.config.clone()).collect(),
        ..Job::new(inputs, plan)
    })
}

/// The instruction set: the best one, or the one that `LOOKALIKE_SIMD` names. Tests compare them by it.
fn level() -> Result<Level, Usage> {
    let Ok(name) = std::env::var("LOOKALIKE_SIMD") else { return Ok(Level::detect()) };
    Level::named(&name).ok_or_else(|| {
        let names: Vec<&str> = Level::available().into_iter().map(Level::name).collect();
        Usage(format!(
            "LOOKALIKE_SIMD is {name:?}, and this machine has {}; use one of these, or unset the variable",
            names.join(", ")
        ))
    })
}
