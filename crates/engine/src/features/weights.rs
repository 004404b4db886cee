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
    let weights = if request.plan.weighting() != Weighting::TfIdf || request.frequencies.is_some() {
        given_weights(request)?
    } else {
        let (counted, ..) = frequencies::count(request, inputs, monitor)?;
        clock.lap("frequencies");
        Weights::TfIdf(Arc::new(counted.pruned(frequencies::LEAST)))
    };
    let weightless = weights.frequencies().filter(|table| table.is_weightless());
    if let Some(documents) = weightless.map(|table| table.documents()).filter(|&documents| documents > 0) {
        monitor.note(&format!(
            "no feature has a weight by the frequencies, as the documents that were counted are too few: {documents}"
        ));
    }
    Ok(weights)
}

/// The weights that the plan asks for, from the tables of the request.
pub fn given_weights(request: &Request) -> Result<Weights, Error> {
    if let Some(weights) = request.plan.weights() {
        return Ok(weights);
    }
    if request.plan.weighting() == Weighting::Levels {
        return Err(Error::NoLevels);
    }
    match &request.frequencies {
        Some(table) if table.plan() == request.plan.feature_id() => Ok(Weights::TfIdf(Arc::clone(table))),
        _ => Err(Error::OtherFeatures),
    }
}
