//! In how many documents each feature is.

use crate::error;
use crate::input::Source;
use crate::plan::CheckedPlan;
use crate::wait::Run;
use lookalike::DocumentFrequencies;
use lookalike_batch::CountFrequencies as Job;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use std::sync::{Arc, Mutex, PoisonError};

/// In how many documents each feature is, for `weights="tf-idf"`.
#[pyclass(frozen, module = "lookalike")]
pub(crate) struct Frequencies(Mutex<Arc<DocumentFrequencies>>);

#[pymethods]
impl Frequencies {
    /// The table of bytes that `to_bytes` made.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let table = DocumentFrequencies::from_bytes(bytes);
        table.map(Self::of).map_err(|error| error::input(py, error.to_string(), None))
    }

    /// The table in the format of `lookalike frequencies`.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.table().to_bytes())
    }

    /// Reads a file that `save` or `lookalike frequencies` wrote.
    #[staticmethod]
    fn load(py: Python<'_>, path: std::path::PathBuf) -> PyResult<Self> {
        let table = DocumentFrequencies::from_bytes(&std::fs::read(&path)?);
        let name = path.display().to_string();
        table.map(Self::of).map_err(|error| error::input(py, format!("{name}: {error}"), Some(&name)))
    }

    /// Writes a file, which the option `--frequencies` reads too.
    fn save(&self, path: std::path::PathBuf) -> PyResult<()> {
        Ok(std::fs::write(path, self.table().to_bytes())?)
    }

    /// Adds the counts of other documents.
    ///
    /// Raises `Incompatible` if the two were counted with other tokens, fold, shingle, stop words, feature hash or seed.
    fn merge(&self, py: Python<'_>, other: &Bound<'_, Frequencies>) -> PyResult<()> {
        let other = other.get().table();
        let mut table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::make_mut(&mut *table).merge(&other).map_err(|error| error::incompatible(py, error.to_string()))
    }

    /// The number of documents that were counted.
    #[getter]
    fn documents(&self) -> u64 {
        self.table().documents()
    }

    /// 16 hexadecimal digits that name the content.
    #[getter]
    fn id(&self) -> String {
        format!("{:016x}", self.table().id())
    }

    fn __len__(&self) -> usize {
        self.table().len()
    }

    fn __repr__(&self) -> String {
        let table = self.table();
        format!("Frequencies: {} features in {} documents", table.len(), table.documents())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Frequencies>().is_ok_and(|other| other.get().table().id() == self.table().id())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let restore = py.get_type::<Frequencies>().getattr("from_bytes")?;
        (restore, (self.to_bytes(py),)).into_pyobject(py)
    }
}

impl Frequencies {
    fn of(table: DocumentFrequencies) -> Self {
        Frequencies(Mutex::new(Arc::new(table)))
    }

    /// The same table as others have.
    pub(crate) fn shared(table: Arc<DocumentFrequencies>) -> Self {
        Frequencies(Mutex::new(table))
    }

    pub(crate) fn table(&self) -> Arc<DocumentFrequencies> {
        Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Names the features that were counted.
    pub(crate) fn features(&self) -> u64 {
        self.table().plan()
    }
}

/// Counts the documents that have each feature.
#[pyfunction]
pub(crate) fn frequencies(
    py: Python<'_>,
    source: &Source,
    plan: &CheckedPlan,
    run: &Run,
) -> PyResult<Frequencies> {
    plan.refuse_drop_frequent(py, "frequencies are counted of")?;
    let mut job = plan.job(py)?;
    source.read_by(&mut job);
    run.limit(&mut job);
    let frequencies = Job { job, output: None, least: 1 };
    let summary = run.wait(py, |monitor| frequencies.run(monitor)?.publish(monitor))?;
    let table = Arc::try_unwrap(summary.table).unwrap_or_else(|table| (*table).clone());
    Ok(Frequencies::of(table))
}
