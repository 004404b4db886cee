//! How much features weigh in a run.

use crate::clock::Clock;
use crate::error::Error;
use crate::frequencies;
use crate::progress::Monitor;
use crate::request::Job;
use lookalike::{DocumentFrequencies, Weighting, Weights};
use lookalike_corpus::Inputs;

/// The frequencies that the weights need, if they were not given.
pub(crate) fn count_frequencies(
    job: &Job,
    inputs: &Inputs,
    clock: &mut Clock,
    monitor: &Monitor,
) -> Result<Option<DocumentFrequencies>, Error> {
    if job.plan.weighting() != Weighting::TfIdf || job.frequencies.is_some() {
        return Ok(None);
    }
    let (counted, _) = frequencies::count(job, inputs, monitor)?;
    clock.lap("frequencies");
    Ok(Some(counted))
}

/// The weights that the plan asks for, by the tables of the request or by `counted` ones.
pub(crate) fn weights<'t>(
    job: &'t Job,
    counted: Option<&'t DocumentFrequencies>,
) -> Result<Weights<'t>, Error> {
    if let Some(weights) = Weights::without_table(job.plan.weighting()) {
        return Ok(weights);
    }
    if job.plan.weighting() == Weighting::Levels {
        return job.levels.as_deref().map(Weights::Levels).ok_or(Error::NoLevels);
    }
    match job.frequencies.as_deref().or(counted) {
        Some(table) if table.plan() == job.plan.feature_id() => Ok(Weights::TfIdf(table)),
        _ => Err(Error::OtherFeatures),
    }
}
