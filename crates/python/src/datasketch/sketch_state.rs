//! The state of a `MinHash`, which threads may share: its values, and what lowers them.

use super::hashing::HashFunction;
use super::minhash::MinHashCore;
use super::numbers::checked_seed;
use super::permutations;
use crate::error;
use lookalike::sketch::{Minima, PermutationScheme, Permutations};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use std::sync::{Arc, MutexGuard, PoisonError};

/// What a sketch is made of. Copies share the values until one of them changes.
#[derive(Debug)]
pub(super) struct SketchState {
    pub(super) scheme: PermutationScheme,
    pub(super) seed: i64,
    pub(super) values: Arc<Minima>,
    pub(super) hash: HashFunction,
    pub(super) permutations: Option<Arc<Permutations>>,
}

/// The parts of a sketch that others compare.
pub(super) struct SketchParts {
    pub(super) scheme: PermutationScheme,
    pub(super) seed: i64,
    pub(super) values: Arc<Minima>,
}

impl MinHashCore {
    pub(super) fn lock(&self, py: Python<'_>) -> MutexGuard<'_, SketchState> {
        self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn snapshot(&self, py: Python<'_>) -> SketchParts {
        let state = self.lock(py);
        SketchParts { scheme: state.scheme, seed: state.seed, values: Arc::clone(&state.values) }
    }

    /// Replaces the values by those of a set.
    pub(super) fn lower_to(&self, py: Python<'_>, values: &Minima) {
        Arc::make_mut(&mut self.lock(py).values).merge(values);
    }

    pub(super) fn hash_function(&self, py: Python<'_>) -> (PermutationScheme, HashFunction) {
        let state = self.lock(py);
        (state.scheme, state.hash.clone_ref(py))
    }

    pub(super) fn permutations(&self, py: Python<'_>) -> PyResult<Arc<Permutations>> {
        let mut state = self.lock(py);
        if let Some(permutations) = &state.permutations {
            return Ok(Arc::clone(permutations));
        }
        let drawn = permutations::shared(state.scheme, state.values.len(), checked_seed(state.seed)?);
        state.permutations = Some(Arc::clone(&drawn));
        Ok(drawn)
    }

    /// Both states.
    ///
    /// # Errors
    /// `Incompatible`, a `ValueError`, that names what differs.
    pub(super) fn compatible(
        &self,
        other: &Bound<'_, PyAny>,
        verb: &str,
    ) -> PyResult<(SketchParts, SketchParts)> {
        let py = other.py();
        let Ok(core) = other.cast::<MinHashCore>() else {
            let name = other.get_type().name()?;
            let message = format!(
                "cannot {verb} a MinHash with {name}: make a lookalike.MinHash of its seed, scheme and hashvalues"
            );
            return Err(error::incompatible(py, message));
        };
        let (own, other) = (self.snapshot(py), core.get().snapshot(py));
        let differing = if own.scheme != other.scheme {
            "permutation schemes"
        } else if own.seed != other.seed {
            "seeds"
        } else if own.values.len() != other.values.len() {
            "numbers of permutation functions"
        } else {
            return Ok((own, other));
        };
        Err(error::incompatible(py, format!("cannot {verb} MinHash with different {differing}")))
    }
}
