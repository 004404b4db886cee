//! The tables of a `MinHashLSHForest`. Its keys are in `python/lookalike/_forest.py`: an entry is the place of a key.

use super::sketch_state::sketch_of;
use super::{raised, scheme_named};
use lookalike_datasketch::{LshForest, StoredForest, scheme_name};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyBytes;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Signatures, numbered in the order in which they were added, and the trees that find them.
#[pyclass(frozen, module = "lookalike._lookalike")]
pub(crate) struct ForestTables(Mutex<LshForest>);

#[pymethods]
impl ForestTables {
    #[new]
    fn new(trees: usize, depth: usize) -> Self {
        ForestTables(Mutex::new(LshForest::new(trees, depth)))
    }

    /// Adds a signature.
    fn add(&self, py: Python<'_>, minhash: &Bound<'_, PyAny>) -> PyResult<()> {
        let sketch = sketch_of(minhash)?;
        let added = self.lock(py).add(&sketch);
        added.map_err(|error| raised(py, &error))
    }

    /// Makes all signatures searchable. After Ctrl-C those are searchable that were so before.
    fn index(&self, py: Python<'_>) -> PyResult<()> {
        let locked = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (trees, entries) = py.detach(|| {
            let forest = locked();
            (forest.trees(), forest.entries())
        });
        let mut orders = Vec::with_capacity(trees);
        for tree in 0..trees {
            orders.push(py.detach(|| locked().order(tree, entries)));
            py.check_signals()?;
        }
        // Another thread may have added entries, and made them searchable.
        py.detach(|| locked().make_searchable(orders));
        Ok(())
    }

    /// At most `k` entries with the longest common prefixes, by their estimates, greatest first.
    fn query(&self, py: Python<'_>, minhash: &Bound<'_, PyAny>, k: usize) -> PyResult<Vec<u32>> {
        let sketch = sketch_of(minhash)?;
        let found = self.lock(py).query(&sketch, k);
        found.map_err(|error| raised(py, &error))
    }

    /// The values of an entry, big-endian, tree after tree, as datasketch stores them.
    fn values<'py>(&self, py: Python<'py>, entry: u32) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.lock(py).values(entry))
    }

    /// The same, tree by tree.
    fn buckets_of_entry<'py>(&self, py: Python<'py>, entry: u32) -> Vec<Bound<'py, PyBytes>> {
        self.lock(py).buckets_of_entry(entry).map(|bucket| PyBytes::new(py, &bucket)).collect()
    }

    /// The buckets of a tree, each with its entries.
    fn buckets<'py>(&self, py: Python<'py>, tree: usize) -> Vec<(Bound<'py, PyBytes>, Vec<u32>)> {
        let buckets = self.lock(py).buckets(tree).into_iter();
        buckets.map(|(bucket, entries)| (PyBytes::new(py, &bucket), entries)).collect()
    }

    /// The buckets of a tree that are searchable, ascending.
    fn sorted_buckets<'py>(&self, py: Python<'py>, tree: usize) -> Vec<Bound<'py, PyBytes>> {
        self.lock(py).sorted_buckets(tree).iter().map(|bucket| PyBytes::new(py, bucket)).collect()
    }

    /// The scheme, and the words of all entries as little-endian bytes. `restore` takes them.
    fn stored<'py>(&self, py: Python<'py>) -> (Option<&'static str>, Bound<'py, PyBytes>) {
        let forest = self.lock(py);
        (forest.scheme().map(scheme_name), PyBytes::new(py, &forest.stored_words()))
    }

    /// Fills new tables. `searchable`: how many of the entries were indexed.
    fn restore(&self, py: Python<'_>, scheme: Option<&str>, bytes: &[u8], searchable: usize) -> PyResult<()> {
        let scheme = scheme.map(|scheme| scheme_named(py, scheme)).transpose()?;
        let stored = StoredForest { scheme, words: bytes, searchable };
        let restored = self.lock(py).restored(&stored);
        *self.lock(py) = restored.map_err(|error| raised(py, &error))?;
        Ok(())
    }

    /// The scheme of the signatures, if there is one.
    #[getter]
    fn scheme(&self, py: Python<'_>) -> Option<&'static str> {
        self.lock(py).scheme().map(scheme_name)
    }

    /// How many entries are searchable.
    #[getter]
    fn searchable(&self, py: Python<'_>) -> usize {
        self.lock(py).searchable()
    }
}

impl ForestTables {
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, LshForest> {
        self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }
}
