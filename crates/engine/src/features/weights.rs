//! The weights of features in a run.

use crate::clock::Clock;
use crate::error::Error;
use crate::features::frequencies;
use crate::progress::Monitor;
use crate::request::Request;
use lookalike::{Weighting, Weights};
use lookalike_corpus::Inputs;
use std::sync::Arc;

/// The weights that the plan asks for: from the tables of the request, or from document frequencies that are counted now.
pub fn weights(
    request: &Request,
    inputs: &Inputs,
    clock: &mut Clock,
    monitor: &Monitor,
) -> Result<Weights, Error> {
    if request.plan.weighting() != Weighting::TfIdf || request.frequencies.is_some() {
        return given_weights(request);
    }
    let (counted, _) = frequencies::count(request, inputs, monitor)?;
    clock.lap("frequencies");
    Ok(Weights::TfIdf(Arc::new(counted.pruned(frequencies::LEAST))))
}

/// The weights that the plan asks for, from the tables of the request.
pub fn given_weights(request: &Request) -> Result<Weights, Error> {
    if let Some(weights) = Weights::without_table(request.plan.weighting()) {
        return Ok(weights);
    }
    if request.plan.weighting() == Weighting::Levels {
        return request.levels.clone().map(Weights::Levels).ok_or(Error::NoLevels);
    }
    match &request.frequencies {
        Some(table) if table.plan() == request.plan.feature_id() => Ok(Weights::TfIdf(Arc::clone(table))),
        _ => Err(Error::OtherFeatures),
    }
}
