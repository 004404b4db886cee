//! The state of a `MinHash`, which threads may share: its sketch, and what adds to it.

use super::hashing::HashFunction;
use super::minhash::MinHashCore;
use super::raised;
use crate::error;
use lookalike::sketch::{Minima, PermutationScheme, Permutations};
use lookalike_datasketch::PermutedSketch;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use std::sync::{Arc, MutexGuard, PoisonError};

/// A sketch, its hash function, and its permutations once they were needed.
#[derive(Debug)]
pub(super) struct SketchState {
    pub(super) sketch: PermutedSketch,
    pub(super) hash: HashFunction,
    pub(super) permutations: Option<Arc<Permutations>>,
}

impl MinHashCore {
    pub(super) fn lock(&self, py: Python<'_>) -> MutexGuard<'_, SketchState> {
        self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// The sketch as it is now.
    pub(super) fn snapshot(&self, py: Python<'_>) -> PermutedSketch {
        self.lock(py).sketch.clone()
    }

    /// Lowers the values to those of a set.
    pub(super) fn lower_to(&self, py: Python<'_>, values: &Minima) {
        Arc::make_mut(&mut self.lock(py).sketch.values).merge(values);
    }

    pub(super) fn hash_function(&self, py: Python<'_>) -> (PermutationScheme, HashFunction) {
        let state = self.lock(py);
        (state.sketch.scheme, state.hash.clone_ref(py))
    }

    pub(super) fn permutations(&self, py: Python<'_>) -> PyResult<Arc<Permutations>> {
        let mut state = self.lock(py);
        if let Some(permutations) = &state.permutations {
            return Ok(Arc::clone(permutations));
        }
        let drawn = state.sketch.permutations().map_err(|error| raised(py, &error))?;
        state.permutations = Some(Arc::clone(&drawn));
        Ok(drawn)
    }
}

/// The sketch of an object that is to be compared or merged, as `verb` says.
///
/// # Errors
/// `Incompatible`, a `ValueError`, for an object of another class.
pub(super) fn other_sketch(other: &Bound<'_, PyAny>, verb: &str) -> PyResult<PermutedSketch> {
    let py = other.py();
    let Ok(core) = other.cast::<MinHashCore>() else {
        let name = other.get_type().name()?;
        let message = format!(
            "cannot {verb} a MinHash with {name}: make a lookalike.MinHash of its seed, scheme and hashvalues"
        );
        return Err(error::incompatible(py, message));
    };
    Ok(core.get().snapshot(py))
}

/// The sketch of an object that an index takes.
///
/// # Errors
/// `TypeError` for an object of another class.
pub(super) fn sketch_of(minhash: &Bound<'_, PyAny>) -> PyResult<PermutedSketch> {
    match minhash.cast::<MinHashCore>() {
        Ok(core) => Ok(core.get().snapshot(minhash.py())),
        Err(_) => {
            let name = minhash.get_type().name()?;
            let message = format!(
                "{name} is no lookalike.MinHash: make one of its seed, scheme and hashvalues, as docs/datasketch.md shows"
            );
            Err(error::wrong_type(message))
        }
    }
}
