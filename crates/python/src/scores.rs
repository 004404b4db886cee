//! Columns that several lists have: similarities, distances, ids.

use arrow_array::{ArrayRef, Float64Array, UInt32Array, UInt64Array};
use arrow_select::take::take;
use lookalike::Score;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// A column of similarities, or of distances if they are distances.
pub(crate) fn scores(scores: impl Iterator<Item = Option<Score>> + Clone) -> ArrayRef {
    let is_distance = scores.clone().flatten().any(|score| matches!(score, Score::Hamming(_)));
    if is_distance {
        let distance = |score: Option<Score>| match score {
            Some(Score::Hamming(distance)) => Some(distance),
            _ => None,
        };
        return Arc::new(scores.map(distance).collect::<UInt32Array>());
    }
    let value = |score: Option<Score>| score.and_then(Score::similarity).map(|similarity| similarity.value());
    Arc::new(scores.map(value).collect::<Float64Array>())
}

/// The ids of these rows.
pub(crate) fn ids_at(ids: &ArrayRef, rows: &UInt64Array) -> PyResult<ArrayRef> {
    take(ids, rows, None).map_err(|error| PyValueError::new_err(error.to_string()))
}
