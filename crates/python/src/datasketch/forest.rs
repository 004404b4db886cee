//! The tables of a `MinHashLSHForest`: for each tree, all entries in the order of their values in it.

use super::bands::words;
use super::lsh::sketch_of;
use super::scheme_name;
use super::sketch_state::SketchParts;
use crate::error;
use lookalike::sketch::PermutationScheme;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyBytes;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Signatures, numbered in the order in which they were added, and the trees that find them.
#[pyclass(frozen, module = "lookalike._lookalike")]
pub(crate) struct ForestTables(Mutex<ForestState>);

struct ForestState {
    trees: usize,
    /// Values of a tree.
    depth: usize,
    made: Option<PermutationScheme>,
    /// The words of all entries, without values that belong to no tree.
    words: Vec<u32>,
    /// For each tree, the entries in the order of their values. Entries that were added since are missing.
    sorted: Vec<Vec<u32>>,
}

#[pymethods]
impl ForestTables {
    #[new]
    fn new(trees: usize, depth: usize) -> Self {
        let sorted = vec![Vec::new(); trees];
        ForestTables(Mutex::new(ForestState { trees, depth, made: None, words: Vec::new(), sorted }))
    }

    /// Adds a signature.
    fn add(&self, py: Python<'_>, minhash: &Bound<'_, PyAny>) -> PyResult<()> {
        let snapshot = sketch_of(minhash)?;
        let mut state = self.lock(py);
        state.check(py, &snapshot)?;
        state.made = Some(snapshot.scheme);
        let size = state.size();
        state.words.extend_from_slice(&words(&snapshot.values)[..size]);
        Ok(())
    }

    /// Makes all signatures searchable. After Ctrl-C those are searchable that were so before.
    fn index(&self, py: Python<'_>) -> PyResult<()> {
        let locked = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (trees, entries) = py.detach(|| {
            let state = locked();
            (state.trees, state.entries())
        });
        let mut sorted = Vec::with_capacity(trees);
        for tree in 0..trees {
            sorted.push(py.detach(|| locked().sorted(tree, entries)));
            py.check_signals()?;
        }
        py.detach(|| {
            let mut state = locked();
            // Another thread may have added entries, and made them searchable.
            if state.sorted.first().is_none_or(|before| before.len() <= entries as usize) {
                state.sorted = sorted;
            }
        });
        Ok(())
    }

    /// At most `k` entries with the longest common prefixes, by their estimates, greatest first.
    fn query(&self, py: Python<'_>, minhash: &Bound<'_, PyAny>, k: usize) -> PyResult<Vec<u32>> {
        let snapshot = sketch_of(minhash)?;
        let state = self.lock(py);
        state.check(py, &snapshot)?;
        Ok(state.query(&words(&snapshot.values), k))
    }

    /// The values of an entry, big-endian, tree after tree, as datasketch stores them.
    fn values<'py>(&self, py: Python<'py>, entry: usize) -> Bound<'py, PyBytes> {
        let state = self.lock(py);
        let words = state.of_entry(entry).iter();
        if state.made == Some(PermutationScheme::Legacy) {
            return PyBytes::new(
                py,
                &words.flat_map(|&word| u64::from(word).to_be_bytes()).collect::<Vec<_>>(),
            );
        }
        PyBytes::new(py, &words.flat_map(|word| word.to_be_bytes()).collect::<Vec<_>>())
    }

    /// The entries of a tree that are searchable, in its order.
    fn sorted(&self, py: Python<'_>, tree: usize) -> Vec<u32> {
        self.lock(py).sorted.get(tree).cloned().unwrap_or_default()
    }

    /// The scheme, and the words as little-endian bytes. `restore` takes them.
    fn stored<'py>(&self, py: Python<'py>) -> (Option<&'static str>, Bound<'py, PyBytes>) {
        let state = self.lock(py);
        let bytes: Vec<u8> = state.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        (state.made.map(scheme_name), PyBytes::new(py, &bytes))
    }

    /// Fills new tables. `searchable`: how many of the entries were indexed.
    fn restore(&self, py: Python<'_>, scheme: Option<&str>, bytes: &[u8], searchable: usize) -> PyResult<()> {
        let mut state = self.lock(py);
        state.made = scheme.map(|scheme| super::scheme_named(py, scheme)).transpose()?;
        let (words, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() || !words.len().is_multiple_of(state.size()) {
            return Err(PyValueError::new_err("these bytes are no tables of MinHashLSHForest"));
        }
        let words: Vec<u32> = words.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        let first = (searchable * state.size()).min(words.len());
        state.words = words[..first].to_vec();
        let entries = state.entries();
        state.sorted = (0..state.trees).map(|tree| state.sorted(tree, entries)).collect();
        state.words.extend_from_slice(&words[first..]);
        Ok(())
    }

    /// How many entries are searchable.
    #[getter]
    fn searchable(&self, py: Python<'_>) -> usize {
        self.lock(py).sorted.first().map_or(0, Vec::len)
    }
}

impl ForestTables {
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, ForestState> {
        self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }
}

impl ForestState {
    fn check(&self, py: Python<'_>, snapshot: &SketchParts) -> PyResult<()> {
        let (needed, length) = (self.trees * self.depth, snapshot.values.len());
        if length < needed {
            let message = format!("the MinHash has {length} values, and {needed} are needed");
            return Err(error::incompatible(py, message));
        }
        match self.made {
            Some(scheme) if scheme != snapshot.scheme => {
                let (own, other) = (scheme_name(scheme), scheme_name(snapshot.scheme));
                let message =
                    format!("the MinHash has scheme {other:?}, and those of this forest have {own:?}");
                Err(error::incompatible(py, message))
            }
            _ => Ok(()),
        }
    }

    /// Words of a value.
    fn width(&self) -> usize {
        if self.made == Some(PermutationScheme::Affine64) { 2 } else { 1 }
    }

    /// Words of an entry.
    fn size(&self) -> usize {
        self.trees * self.depth * self.width()
    }

    fn of_entry(&self, entry: usize) -> &[u32] {
        &self.words[entry * self.size()..][..self.size()]
    }

    /// The words of a tree.
    fn of_tree<'w>(&self, words: &'w [u32], tree: usize) -> &'w [u32] {
        let size = self.depth * self.width();
        &words[tree * size..][..size]
    }

    fn entries(&self) -> u32 {
        (self.words.len() / self.size()) as u32
    }

    /// The first `entries` in the order of a tree.
    fn sorted(&self, tree: usize, entries: u32) -> Vec<u32> {
        let mut sorted: Vec<u32> = (0..entries).collect();
        // A stable sort: equal entries stay in the order in which they were added.
        sorted.sort_by_key(|&entry| self.of_tree(self.of_entry(entry as usize), tree));
        sorted
    }

    /// The entries that datasketch returns: prefixes from the longest on, tree by tree, until `k` were found.
    fn query(&self, words: &[u32], k: usize) -> Vec<u32> {
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        'search: for depth in (1..=self.depth).rev() {
            for (tree, sorted) in self.sorted.iter().enumerate() {
                let size = depth * self.width();
                let wanted = &self.of_tree(words, tree)[..size];
                let prefix = |entry: u32| &self.of_tree(self.of_entry(entry as usize), tree)[..size];
                let start = sorted.partition_point(|&entry| prefix(entry) < wanted);
                for &entry in sorted[start..].iter().take_while(|&&entry| prefix(entry) == wanted) {
                    if seen.insert(entry) {
                        found.push(entry);
                    }
                    if found.len() == k {
                        break 'search;
                    }
                }
            }
        }
        found.sort_by_key(|&entry| (Reverse(self.equal(words, entry)), entry));
        found
    }

    /// At how many positions of trees the values are equal.
    fn equal(&self, words: &[u32], entry: u32) -> usize {
        let width = self.width();
        let own = self.of_entry(entry as usize).chunks_exact(width);
        own.zip(words.chunks_exact(width)).filter(|(a, b)| a == b).count()
    }
}
