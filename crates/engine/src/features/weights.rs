//! How much features weigh in a run.

use crate::clock::Clock;
use crate::error::Error;
use crate::features::frequencies;
use crate::progress::Monitor;
use crate::request::Request;
use lookalike::{DocumentFrequencies, Weighting, Weights};
use lookalike_corpus::Inputs;

/// The frequencies that the weights need, if they were not given.
pub fn count_frequencies(
    request: &Request,
    inputs: &Inputs,
    clock: &mut Clock,
    monitor: &Monitor,
) -> Result<Option<DocumentFrequencies>, Error> {
    if request.plan.weighting() != Weighting::TfIdf || request.frequencies.is_some() {
        return Ok(None);
    }
    let (counted, _) = frequencies::count(request, inputs, monitor)?;
    clock.lap("frequencies");
    Ok(Some(counted))
}

/// The weights that the plan asks for, by the tables of the request or by `counted` ones.
pub fn weights<'t>(
    request: &'t Request,
    counted: Option<&'t DocumentFrequencies>,
) -> Result<Weights<'t>, Error> {
    if let Some(weights) = Weights::without_table(request.plan.weighting()) {
        return Ok(weights);
    }
    if request.plan.weighting() == Weighting::Levels {
        return request.levels.as_deref().map(Weights::Levels).ok_or(Error::NoLevels);
    }
    match request.frequencies.as_deref().or(counted) {
        Some(table) if table.plan() == request.plan.feature_id() => Ok(Weights::TfIdf(table)),
        _ => Err(Error::OtherFeatures),
    }
}
