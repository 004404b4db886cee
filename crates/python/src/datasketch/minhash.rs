//! `MinHashCore`, the base of `MinHash` and `LeanMinHash`, as Python calls it.

use super::elements::minima_of_elements;
use super::hashing::HashFunction;
use super::numbers::{checked_seed, minima_of, pairwise_sum};
use super::sketch_state::{SketchParts, SketchState};
use super::{level, permutations, scheme_name, scheme_named};
use lookalike::sketch::{Minima, PermutationScheme};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use std::sync::{Arc, Mutex};

/// The base of `MinHash` and `LeanMinHash`. Threads may share it.
#[pyclass(frozen, subclass, module = "lookalike._lookalike")]
pub(crate) struct MinHashCore(pub(super) Mutex<SketchState>);

#[pymethods]
impl MinHashCore {
    /// `start` or `restore` gives it its state.
    #[new]
    #[pyo3(signature = (*_arguments, **_options))]
    fn new(_arguments: &Bound<'_, PyTuple>, _options: Option<&Bound<'_, PyDict>>) -> Self {
        let scheme = PermutationScheme::Affine32;
        MinHashCore(Mutex::new(SketchState {
            scheme,
            seed: 1,
            values: Arc::new(Minima::empty(scheme, 1)),
            hash: HashFunction::Sha1,
            permutations: None,
        }))
    }

    /// Makes it the sketch of an empty set.
    fn _start(
        &self,
        py: Python<'_>,
        num_perm: usize,
        seed: i64,
        scheme: &str,
        hashfunc: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let scheme = scheme_named(py, scheme)?;
        let shared = permutations::shared(scheme, num_perm, checked_seed(seed)?);
        let mut state = self.lock(py);
        state.scheme = scheme;
        state.seed = seed;
        state.values = Arc::new(Minima::empty(scheme, num_perm));
        state.hash = hashfunc.map_or(HashFunction::Sha1, HashFunction::Python);
        state.permutations = Some(shared);
        Ok(())
    }

    /// Makes it a sketch without a hash function, of these values.
    fn _restore(&self, py: Python<'_>, scheme: &str, seed: i64, values: Vec<u64>) -> PyResult<()> {
        let scheme = scheme_named(py, scheme)?;
        let values = Arc::new(minima_of(scheme, &values)?);
        let mut state = self.lock(py);
        (state.scheme, state.seed, state.values, state.permutations) = (scheme, seed, values, None);
        Ok(())
    }

    /// Gives it the state of another, which may change later.
    fn _take(&self, py: Python<'_>, other: &MinHashCore) {
        let (scheme, seed, values, hash, permutations) = {
            let state = other.lock(py);
            let SketchState { scheme, seed, values, hash, permutations } = &*state;
            (*scheme, *seed, Arc::clone(values), hash.clone_ref(py), permutations.clone())
        };
        *self.lock(py) = SketchState { scheme, seed, values, hash, permutations };
    }

    /// Replaces the values.
    fn _assign(&self, py: Python<'_>, values: Vec<u64>) -> PyResult<()> {
        let mut state = self.lock(py);
        let values = minima_of(state.scheme, &values)?;
        if values.len() != state.values.len() {
            let message =
                format!("{} hash values are needed, and {} given", state.values.len(), values.len());
            return Err(PyValueError::new_err(message));
        }
        state.values = Arc::new(values);
        Ok(())
    }

    /// The values as little-endian bytes: 4 a value for `affine32`, 8 for the others.
    fn _values<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let SketchParts { scheme, values, .. } = self.snapshot(py);
        let bytes: Vec<u8> = match &*values {
            Minima::Narrow(values) if scheme == PermutationScheme::Affine32 => {
                values.iter().flat_map(|value| value.to_le_bytes()).collect()
            }
            Minima::Narrow(values) => {
                values.iter().flat_map(|&value| u64::from(value).to_le_bytes()).collect()
            }
            Minima::Wide(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
        };
        PyBytes::new(py, &bytes)
    }

    /// The function that hashes. `None` for SHA-1.
    fn _hashfunc(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        match &self.lock(py).hash {
            HashFunction::Sha1 => None,
            HashFunction::Python(function) => Some(function.clone_ref(py)),
        }
    }

    /// The multipliers and increments of the permutations.
    fn _parameters(&self, py: Python<'_>) -> PyResult<(Vec<u64>, Vec<u64>)> {
        Ok(self.permutations(py)?.parameters())
    }

    /// Adds an element: bytes, or what `hashfunc` takes.
    fn update(&self, b: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = b.py();
        let (scheme, hash) = self.hash_function(py);
        let mut hashes = [hash.hash(scheme, b)?];
        let permutations = self.permutations(py)?;
        let mut state = self.lock(py);
        permutations.lower(level(), &mut hashes, Arc::make_mut(&mut state.values));
        Ok(())
    }

    /// Adds many elements. If one of them cannot be hashed, none is added.
    pub(super) fn update_batch(&self, b: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = b.py();
        let permutations = self.permutations(py)?;
        let (scheme, hash) = self.hash_function(py);
        let empty = Minima::empty(scheme, self.num_perm(py));
        let minima = minima_of_elements(b, scheme, &hash, &permutations, empty)?;
        Arc::make_mut(&mut self.lock(py).values).merge(&minima);
        Ok(())
    }

    /// The share of equal values.
    fn jaccard(&self, other: &Bound<'_, PyAny>) -> PyResult<f64> {
        let (own, other) = self.compatible(other, "compare")?;
        Ok(own.values.agreeing(&other.values) as f64 / own.values.len() as f64)
    }

    /// Makes it the sketch of the union of both sets.
    fn merge(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        let (_, other_state) = self.compatible(other, "merge")?;
        Arc::make_mut(&mut self.lock(other.py()).values).merge(&other_state.values);
        Ok(())
    }

    /// Estimates the number of elements.
    fn count(&self, py: Python<'_>) -> f64 {
        let values = self.snapshot(py).values;
        let greatest = if matches!(*values, Minima::Wide(_)) { u64::MAX as f64 } else { f64::from(u32::MAX) };
        let shares: Vec<f64> = (0..values.len()).map(|place| values.at(place) as f64 / greatest).collect();
        values.len() as f64 / pairwise_sum(&shares) - 1.0
    }

    fn is_empty(&self, py: Python<'_>) -> bool {
        self.snapshot(py).values.is_unset()
    }

    fn clear(&self, py: Python<'_>) {
        let mut state = self.lock(py);
        state.values = Arc::new(Minima::empty(state.scheme, state.values.len()));
    }

    #[getter]
    pub(super) fn num_perm(&self, py: Python<'_>) -> usize {
        self.lock(py).values.len()
    }

    #[getter]
    fn seed(&self, py: Python<'_>) -> i64 {
        self.lock(py).seed
    }

    #[getter]
    fn scheme(&self, py: Python<'_>) -> &'static str {
        scheme_name(self.lock(py).scheme)
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.num_perm(py)
    }

    /// Whether scheme, seed and values are equal.
    fn _equals(&self, py: Python<'_>, other: &MinHashCore) -> bool {
        let (own, other) = (self.snapshot(py), other.snapshot(py));
        own.scheme == other.scheme && own.seed == other.seed && own.values == other.values
    }
}
