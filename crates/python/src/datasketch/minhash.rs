//! `MinHashCore`, the base of `MinHash` and `LeanMinHash`, as Python calls it.

use super::elements::sketch_of_elements;
use super::hashing::HashFunction;
use super::sketch_state::{SketchState, other_sketch};
use super::{raised, scheme_named};
use lookalike::sketch::PermutationScheme;
use lookalike_datasketch::{PermutedSketch, scheme_name};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use std::sync::Mutex;

/// The base of `MinHash` and `LeanMinHash`. Threads may share it.
#[pyclass(frozen, subclass, module = "lookalike._lookalike")]
pub(crate) struct MinHashCore(pub(super) Mutex<SketchState>);

#[pymethods]
impl MinHashCore {
    /// `start` or `restore` gives it its state.
    #[new]
    #[pyo3(signature = (*_arguments, **_options))]
    fn new(_arguments: &Bound<'_, PyTuple>, _options: Option<&Bound<'_, PyDict>>) -> Self {
        MinHashCore(Mutex::new(SketchState {
            sketch: PermutedSketch::empty(PermutationScheme::Affine32, 1, 1),
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
        let sketch = PermutedSketch::empty(scheme_named(py, scheme)?, seed, num_perm);
        let permutations = Some(sketch.permutations().map_err(|error| raised(py, &error))?);
        let hash = hashfunc.map_or(HashFunction::Sha1, HashFunction::Python);
        *self.lock(py) = SketchState { sketch, hash, permutations };
        Ok(())
    }

    /// Makes it a sketch without a hash function, of these values.
    fn _restore(&self, py: Python<'_>, scheme: &str, seed: i64, values: Vec<u64>) -> PyResult<()> {
        let scheme = scheme_named(py, scheme)?;
        let sketch = PermutedSketch::of_values(scheme, seed, &values).map_err(|error| raised(py, &error))?;
        let mut state = self.lock(py);
        (state.sketch, state.permutations) = (sketch, None);
        Ok(())
    }

    /// Gives it the state of another, which may change later.
    fn _take(&self, py: Python<'_>, other: &MinHashCore) {
        let taken = {
            let state = other.lock(py);
            let SketchState { sketch, hash, permutations } = &*state;
            SketchState {
                sketch: sketch.clone(),
                hash: hash.clone_ref(py),
                permutations: permutations.clone(),
            }
        };
        *self.lock(py) = taken;
    }

    /// Replaces the values.
    fn _assign(&self, py: Python<'_>, values: Vec<u64>) -> PyResult<()> {
        let assigned = self.lock(py).sketch.assign(&values);
        assigned.map_err(|error| raised(py, &error))
    }

    /// The values as little-endian bytes: 4 a value for `affine32`, 8 for the others.
    fn _values<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.snapshot(py).to_bytes())
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
        self.lock(py).sketch.add(&permutations, &mut hashes);
        Ok(())
    }

    /// Adds many elements. If one of them cannot be hashed, none is added.
    pub(super) fn update_batch(&self, b: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = b.py();
        let permutations = self.permutations(py)?;
        let (_, hash) = self.hash_function(py);
        let mut empty = self.snapshot(py);
        empty.clear();
        let added = sketch_of_elements(b, &hash, &permutations, empty)?;
        self.lower_to(py, &added.values);
        Ok(())
    }

    /// The share of equal values.
    fn jaccard(&self, other: &Bound<'_, PyAny>) -> PyResult<f64> {
        let (py, other) = (other.py(), other_sketch(other, "compare")?);
        self.snapshot(py).jaccard(&other).map_err(|error| raised(py, &error))
    }

    /// Makes it the sketch of the union of both sets.
    fn merge(&self, other: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, other) = (other.py(), other_sketch(other, "merge")?);
        let merged = self.lock(py).sketch.merge(&other);
        merged.map_err(|error| raised(py, &error))
    }

    /// Estimates the number of elements.
    fn count(&self, py: Python<'_>) -> f64 {
        self.snapshot(py).count()
    }

    fn is_empty(&self, py: Python<'_>) -> bool {
        self.snapshot(py).values.is_unset()
    }

    fn clear(&self, py: Python<'_>) {
        self.lock(py).sketch.clear();
    }

    #[getter]
    pub(super) fn num_perm(&self, py: Python<'_>) -> usize {
        self.lock(py).sketch.values.len()
    }

    #[getter]
    fn seed(&self, py: Python<'_>) -> i64 {
        self.lock(py).sketch.seed
    }

    #[getter]
    fn scheme(&self, py: Python<'_>) -> &'static str {
        scheme_name(self.lock(py).sketch.scheme)
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.num_perm(py)
    }

    /// Whether scheme, seed and values are equal.
    fn _equals(&self, py: Python<'_>, other: &MinHashCore) -> bool {
        self.snapshot(py) == other.snapshot(py)
    }
}
