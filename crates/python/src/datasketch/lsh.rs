//! The tables of a `MinHashLSH`. Its keys are in `python/lookalike/_lsh.py`: a slot is the place of a key.

use super::raised;
use super::sketch_state::sketch_of;
use crate::wait::Run;
use lookalike_batch::Error;
use lookalike_datasketch::{Lsh, PermutedSketch, scheme_name};
use lookalike_engine::progress::Unit;
use lookalike_engine::threads::in_pool;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyList};
use rayon::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Signatures in slots, and the tables that find them. Threads may share it.
#[pyclass(frozen, module = "lookalike._lookalike")]
pub(crate) struct LshTables(Mutex<Lsh>);

/// A bucket, and how many slots it has.
type BucketCount<'py> = (Bound<'py, PyBytes>, usize);

#[pymethods]
impl LshTables {
    #[new]
    fn new(bands: usize, rows: usize, num_perm: usize) -> Self {
        LshTables(Mutex::new(Lsh::new(bands, rows, num_perm)))
    }

    /// Inserts a signature under a slot.
    fn insert(&self, py: Python<'_>, slot: u32, minhash: &Bound<'_, PyAny>) -> PyResult<()> {
        let sketch = sketch_of(minhash)?;
        let inserted = self.lock(py).insert(slot, &sketch);
        inserted.map_err(|error| raised(py, &error))
    }

    /// Whether a signature could be inserted or searched for.
    fn check(&self, py: Python<'_>, minhash: &Bound<'_, PyAny>) -> PyResult<()> {
        let sketch = sketch_of(minhash)?;
        let checked = self.lock(py).check(&sketch);
        checked.map_err(|error| raised(py, &error))
    }

    /// Inserts the signatures of a slot of other tables.
    fn copy(&self, py: Python<'_>, other: &LshTables, other_slot: u32, slot: u32) {
        // One lock after the other: the tables may be the same, and two threads may merge two indexes into each other.
        let signatures = other.lock(py).signatures(other_slot);
        if let Some(signatures) = signatures {
            self.lock(py).insert_signatures(slot, &signatures);
        }
    }

    fn remove(&self, py: Python<'_>, slot: u32) {
        self.lock(py).remove(slot);
    }

    /// The keys of signatures that share one of the first `bands` bands with `minhash`. With a `threshold`, estimates reach it.
    #[pyo3(signature = (minhash, keys, bands = None, threshold = None))]
    fn query<'py>(
        &self,
        py: Python<'py>,
        minhash: &Bound<'py, PyAny>,
        keys: &Bound<'py, PyList>,
        bands: Option<usize>,
        threshold: Option<f64>,
    ) -> PyResult<Bound<'py, PyList>> {
        let sketch = sketch_of(minhash)?;
        let slots = self.lock(py).query(&sketch, bands, threshold);
        let found = PyList::empty(py);
        for slot in slots.map_err(|error| raised(py, &error))? {
            found.append(keys.get_item(slot as usize)?)?;
        }
        Ok(found)
    }

    /// The slots that each of many signatures finds, on all threads.
    fn query_many(
        &self,
        py: Python<'_>,
        minhashes: &Bound<'_, PyList>,
        threshold: Option<f64>,
        run: &Run,
    ) -> PyResult<Vec<Vec<u32>>> {
        let mut sketches = Vec::with_capacity(minhashes.len());
        for minhash in minhashes {
            let sketch = sketch_of(&minhash)?;
            let checked = self.lock(py).check(&sketch);
            checked.map_err(|error| raised(py, &error))?;
            sketches.push(sketch);
        }
        let found = run.wait(py, |monitor| {
            let stage = monitor.stage("query", Unit::Documents, Some(sketches.len() as u64));
            let lsh = self.lock_detached();
            let query = |sketch: &PermutedSketch| {
                monitor.interrupt.check()?;
                stage.inc(1);
                // Another thread may have begun the index with another scheme since they were checked.
                Ok(lsh.query(sketch, None, threshold))
            };
            in_pool(run.threads(), || sketches.par_iter().map(query).collect::<Result<Vec<_>, Error>>())
        })?;
        let found: Result<Vec<Vec<u32>>, _> = found.into_iter().collect();
        found.map_err(|error| raised(py, &error))
    }

    /// The words of a slot's bands as bytes, band after band, as datasketch stores them.
    fn bucket_keys<'py>(&self, py: Python<'py>, slot: u32) -> Vec<Bound<'py, PyBytes>> {
        self.lock(py).buckets_of_slot(slot).map(|bucket| PyBytes::new(py, &bucket)).collect()
    }

    /// The bytes of all buckets of a band.
    fn buckets<'py>(&self, py: Python<'py>, band: usize) -> Vec<Bound<'py, PyBytes>> {
        self.lock(py).buckets(band).map(|bucket| PyBytes::new(py, &bucket)).collect()
    }

    /// The same, each with the number of its slots.
    fn counts<'py>(&self, py: Python<'py>, band: usize) -> Vec<BucketCount<'py>> {
        let lsh = self.lock(py);
        lsh.counts(band).map(|(bucket, count)| (PyBytes::new(py, &bucket), count)).collect()
    }

    /// For each band the buckets of some slots, each with the number of their signatures in it.
    fn counts_of_slots<'py>(&self, py: Python<'py>, slots: Vec<u32>) -> Vec<Vec<BucketCount<'py>>> {
        let of_bands = self.lock(py).counts_of_slots(&slots).into_iter();
        let counted = |(bucket, count): (Vec<u8>, usize)| (PyBytes::new(py, &bucket), count);
        of_bands.map(|counts| counts.into_iter().map(counted).collect()).collect()
    }

    /// The slots of a bucket, in the order of insertion. Empty if there is no such bucket.
    fn bucket(&self, py: Python<'_>, band: usize, bytes: &[u8]) -> Vec<u32> {
        self.lock(py).slots_of_bucket(band, bytes)
    }

    /// The number of buckets of a band.
    fn bucket_count(&self, py: Python<'_>, band: usize) -> usize {
        self.lock(py).bucket_count(band)
    }

    /// The slots with signatures, in the order of insertion.
    fn slots(&self, py: Python<'_>) -> Vec<u32> {
        self.lock(py).slots()
    }

    /// All signatures as bytes. The slots are numbered in the order of insertion.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.lock(py).to_bytes())
    }

    /// The tables of such bytes.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let restored = Lsh::from_bytes(bytes).map_err(|error| raised(py, &error))?;
        Ok(LshTables(Mutex::new(restored)))
    }

    /// The scheme of the signatures, if there was one.
    #[getter]
    fn scheme(&self, py: Python<'_>) -> Option<&'static str> {
        self.lock(py).scheme().map(scheme_name)
    }
}

impl LshTables {
    pub(super) fn lock(&self, py: Python<'_>) -> MutexGuard<'_, Lsh> {
        self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks without the interpreter, for threads that do not have it.
    pub(super) fn lock_detached(&self) -> MutexGuard<'_, Lsh> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
