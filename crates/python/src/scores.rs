//! Columns that several lists have: similarities, distances, ids.

use arrow_array::{ArrayRef, Float64Array, UInt32Array, UInt64Array};
use arrow_select::take::take;
use lookalike::{Plan, Score, Verification};
use lookalike_report::COLUMNS_OF_INTERVAL;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// The columns of the scores of a plan.
#[derive(Clone, Copy)]
pub(crate) struct ScoreColumns {
    /// The name of the first one.
    pub(crate) name: &'static str,
    /// What decided about the pairs.
    verification: Option<Verification>,
}

impl ScoreColumns {
    /// The columns of the scores of `plan`, of which the first one has this `name`.
    pub(crate) fn new(plan: &Plan, name: &'static str) -> Self {
        ScoreColumns { name, verification: plan.verification() }
    }

    /// The column of similarities, of distances or of estimates.
    pub(crate) fn column(self, scores: impl Iterator<Item = Option<Score>>) -> (&'static str, ArrayRef) {
        let column: ArrayRef = match self.verification {
            None => {
                let distance = |score: Option<Score>| match score {
                    Some(Score::Hamming(distance)) => Some(distance),
                    _ => None,
                };
                Arc::new(scores.map(distance).collect::<UInt32Array>())
            }
            Some(_) => {
                let value = |score: Option<Score>| match score? {
                    Score::Similarity(similarity) => Some(similarity.value()),
                    Score::Estimate(estimate) => Some(estimate.similarity().value()),
                    Score::Hamming(_) => None,
                };
                Arc::new(scores.map(value).collect::<Float64Array>())
            }
        };
        (self.name, column)
    }

    /// The same, and the columns of the interval of estimates.
    pub(crate) fn columns(
        self,
        scores: impl Iterator<Item = Option<Score>> + Clone,
    ) -> Vec<(&'static str, ArrayRef)> {
        let mut columns = vec![self.column(scores.clone())];
        if self.verification == Some(Verification::Estimate) {
            columns.extend((0..).zip(COLUMNS_OF_INTERVAL).map(|(end, name): (usize, _)| {
                let value = |score: Option<Score>| match score? {
                    Score::Estimate(estimate) => Some(estimate.interval()[end].value()),
                    Score::Similarity(_) | Score::Hamming(_) => None,
                };
                (name, Arc::new(scores.clone().map(value).collect::<Float64Array>()) as ArrayRef)
            }));
        }
        columns
    }
}

/// The ids of these rows.
pub(crate) fn ids_at(ids: &ArrayRef, rows: &UInt64Array) -> PyResult<ArrayRef> {
    take(ids, rows, None).map_err(|error| PyValueError::new_err(error.to_string()))
}
