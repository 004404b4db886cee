//! The tables of a `MinHashLSH`. Its keys are in `python/lookalike/_lsh.py`: a slot is the place of a key.

use super::bands::{BandTables, words};
use super::lsh_state::LshState;
use super::minhash::MinHashCore;
use super::scheme_name;
use super::sketch_state::SketchParts;
use super::stored::{restored, stored};
use crate::error;
use crate::wait::Run;
use lookalike_batch::Error;
use lookalike_engine::progress::Unit;
use lookalike_engine::threads::in_pool;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyList};
use rayon::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Signatures in slots, and the tables that find them. Threads may share it.
#[pyclass(frozen, module = "lookalike._lookalike")]
pub(crate) struct LshTables(Mutex<LshState>);

#[pymethods]
impl LshTables {
    #[new]
    fn new(bands: usize, rows: usize, num_perm: usize) -> Self {
        LshTables(Mutex::new(LshState { bands, rows, num_perm, made: None, tables: None }))
    }

    /// Inserts a signature under a slot.
    fn insert(&self, py: Python<'_>, slot: u32, minhash: &Bound<'_, PyAny>) -> PyResult<()> {
        let snapshot = sketch_of(minhash)?;
        let mut state = self.lock(py);
        state.check(py, &snapshot)?;
        state.made_as(&snapshot).insert(slot, &words(&snapshot.values));
        Ok(())
    }

    /// Whether a signature could be inserted or searched for.
    fn check(&self, py: Python<'_>, minhash: &Bound<'_, PyAny>) -> PyResult<()> {
        self.lock(py).check(py, &sketch_of(minhash)?)
    }

    /// Inserts the signatures of a slot of other tables.
    fn copy(&self, py: Python<'_>, other: &LshTables, other_slot: u32, slot: u32) {
        let (made, signatures) = {
            let other = other.lock(py);
            let tables = other.tables.as_ref();
            let of = |tables: &BandTables| {
                let entries = tables.entries(other_slot).into_iter();
                (tables.shape, entries.map(|entry| tables.of_entry(entry).to_vec()).collect::<Vec<_>>())
            };
            (other.made, tables.map(of))
        };
        let Some((shape, signatures)) = signatures else { return };
        let mut state = self.lock(py);
        state.made = state.made.or(made);
        let tables = state.tables.get_or_insert_with(|| BandTables::new(shape));
        signatures.iter().for_each(|signature| tables.insert(slot, signature));
    }

    fn remove(&self, py: Python<'_>, slot: u32) {
        if let Some(tables) = &mut self.lock(py).tables {
            tables.remove(slot);
        }
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
        let snapshot = sketch_of(minhash)?;
        let state = self.lock(py);
        state.check(py, &snapshot)?;
        let slots = state.query(&snapshot, bands, threshold);
        drop(state);
        let found = PyList::empty(py);
        for slot in slots {
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
        let mut snapshots = Vec::with_capacity(minhashes.len());
        for minhash in minhashes {
            let snapshot = sketch_of(&minhash)?;
            self.lock(py).check(py, &snapshot)?;
            snapshots.push(snapshot);
        }
        run.wait(py, |monitor| {
            let stage = monitor.stage("query", Unit::Documents, Some(snapshots.len() as u64));
            let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let query = |snapshot: &SketchParts| {
                monitor.interrupt.check()?;
                stage.inc(1);
                Ok(state.query(snapshot, None, threshold))
            };
            in_pool(run.threads(), || snapshots.par_iter().map(query).collect::<Result<Vec<_>, Error>>())
        })
    }

    /// The words of a slot's bands as bytes, band after band, as datasketch stores them.
    fn bucket_keys<'py>(&self, py: Python<'py>, slot: u32) -> Vec<Bound<'py, PyBytes>> {
        let state = self.lock(py);
        let Some(tables) = &state.tables else { return Vec::new() };
        let mut keys = Vec::new();
        for entry in tables.entries(slot) {
            let words = tables.of_entry(entry);
            let bands = (0..tables.shape.bands).map(|band| tables.band(words, band));
            keys.extend(bands.map(|words| PyBytes::new(py, &state.bytes(words))));
        }
        keys
    }

    /// The bytes of all buckets of a band.
    fn buckets<'py>(&self, py: Python<'py>, band: usize) -> Vec<Bound<'py, PyBytes>> {
        let state = self.lock(py);
        let Some(tables) = &state.tables else { return Vec::new() };
        let bytes = |head| state.bytes(tables.band(tables.of_entry(head), band));
        tables.heads(band).into_iter().map(|head| PyBytes::new(py, &bytes(head))).collect()
    }

    /// The slots of a bucket, in the order of insertion. Empty if there is no such bucket.
    fn bucket(&self, py: Python<'_>, band: usize, bytes: &[u8]) -> Vec<u32> {
        let state = self.lock(py);
        let (Some(tables), Some(words)) = (&state.tables, state.words(bytes)) else { return Vec::new() };
        let mut slots: Vec<u32> = tables.bucket(band, &words).map(|entry| tables.slot(entry)).collect();
        slots.reverse();
        slots
    }

    /// The number of buckets of a band.
    fn bucket_count(&self, py: Python<'_>, band: usize) -> usize {
        self.lock(py).tables.as_ref().map_or(0, |tables| tables.buckets(band))
    }

    /// The slots with signatures, in the order of insertion.
    fn slots(&self, py: Python<'_>) -> Vec<u32> {
        self.lock(py).tables.as_ref().map_or_else(Vec::new, BandTables::in_order)
    }

    /// All signatures as bytes. The slots are numbered in the order of insertion.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &stored(&self.lock(py)))
    }

    /// The tables of such bytes.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        let wrong = || PyValueError::new_err("these bytes are no tables of MinHashLSH, or they are damaged");
        restored(bytes).map(|state| LshTables(Mutex::new(state))).ok_or_else(wrong)
    }

    /// The scheme of the signatures, if there was one.
    #[getter]
    fn scheme(&self, py: Python<'_>) -> Option<&'static str> {
        self.lock(py).made.map(|(scheme, _)| scheme_name(scheme))
    }
}

impl LshTables {
    pub(super) fn lock(&self, py: Python<'_>) -> MutexGuard<'_, LshState> {
        self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks without the interpreter, for threads that do not have it.
    pub(super) fn lock_detached(&self) -> MutexGuard<'_, LshState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The state of a MinHash.
///
/// # Errors
/// `TypeError` for an object of another class.
pub(super) fn sketch_of(minhash: &Bound<'_, PyAny>) -> PyResult<SketchParts> {
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
