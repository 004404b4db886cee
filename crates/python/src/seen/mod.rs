//! Documents that were seen before, in memory, one text at a time.

mod documents;
mod stored;

use crate::error;
use crate::input::{Source, read_texts};
use crate::plan::CheckedPlan;
use crate::table::Table;
use crate::wait::Run;
use documents::SeenDocuments;
use lookalike::search::{ComparedFeatures, SketchBuilder};
use lookalike::{Level, Method, Plan, Signature, Weights};
use lookalike_batch::Error;
use lookalike_corpus::Texts;
use lookalike_engine::progress::{Monitor, Unit};
use lookalike_engine::threads::in_pool;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};
use rayon::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The id of a document.
#[derive(Clone, Debug, PartialEq, Eq, Hash, FromPyObject, IntoPyObject)]
pub(crate) enum Id {
    /// Tables have ids of 64 bits, with a sign or without.
    #[pyo3(transparent)]
    Number(i128),
    #[pyo3(transparent)]
    Text(String),
}

/// Texts that are sketched before they are compared: enough to keep all threads at work, and few enough that Ctrl-C is noticed.
const BLOCK: usize = 1024;

/// A row, the id of its document, and its similarity.
type FoundMatch = (u32, Option<Id>, f64);

/// Documents that were seen before. Threads may share it: each addition is one step.
#[pyclass(frozen)]
pub(crate) struct SeenTexts {
    plan: Plan,
    /// Whether documents are compared exactly. Otherwise signatures estimate their similarity.
    exact: bool,
    /// Builders that no thread uses now. To make one takes longer than to sketch a text.
    builders: Mutex<Vec<SketchBuilder>>,
    documents: Mutex<SeenDocuments>,
}

/// A document. A removed one has no signature in the index.
#[derive(Clone, Debug)]
pub(super) struct HeldDocument {
    pub(super) id: Option<Id>,
    /// Its features, if documents are compared exactly.
    pub(super) compared: Option<ComparedFeatures>,
}

/// A text that is sketched.
pub(super) struct HeldSketch {
    pub(super) signature: Signature,
    pub(super) compared: Option<ComparedFeatures>,
}

#[pymethods]
impl SeenTexts {
    #[new]
    fn new(py: Python<'_>, plan: &CheckedPlan, exact: bool) -> PyResult<Self> {
        let plan = plan.plan(py)?.clone();
        if plan.estimates() {
            let message = "Seen compares exactly, or by estimates of its own: leave out verify";
            return Err(error::plan(py, "verify", message));
        }
        if plan.method() != Method::MinHash {
            let message = "Seen searches by MinHash: leave out method";
            return Err(error::plan(py, "method", message));
        }
        if plan.compares_weights() {
            let message = "Seen compares sets: leave out weights";
            return Err(error::plan(py, "weights", message));
        }
        Ok(Self::empty(plan, exact))
    }

    /// The first document that `text` is similar to.
    fn find(&self, py: Python<'_>, text: &str) -> Option<FoundMatch> {
        py.detach(|| {
            let sketched = self.sketch(text);
            self.documents().first(&self.plan, &sketched)
        })
    }

    /// All documents that `text` is similar to.
    fn find_all(&self, py: Python<'_>, text: &str) -> Vec<FoundMatch> {
        py.detach(|| {
            let sketched = self.sketch(text);
            self.documents().all(&self.plan, &sketched)
        })
    }

    /// Adds `text`, unless it is similar to a document, which is then returned.
    #[pyo3(signature = (text, id = None))]
    fn add(&self, py: Python<'_>, text: &str, id: Option<Id>) -> PyResult<Option<FoundMatch>> {
        py.detach(|| {
            let sketched = self.sketch(text);
            self.documents().add(&self.plan, sketched, id)
        })
        .map_err(|id| repeated(&id))
    }

    /// The same for many texts, in their order. A byte for each: 1 if it was added.
    fn add_many<'py>(
        &self,
        py: Python<'py>,
        source: &Source,
        run: &Run,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let texts = source.texts()?;
        let has_numbers = source.ids()?.is_some_and(|ids| ids.data_type().is_integer());
        let id = |row| {
            let id = texts.id(row)?;
            let number = if has_numbers { id.parse().ok() } else { None };
            Some(number.map_or_else(|| Id::Text(id.to_owned()), Id::Number))
        };
        let add = |monitor: &Monitor| in_pool(run.threads(), || self.add_texts(&*texts, id, monitor));
        let added = run.wait(py, add)?;
        let added = added.map_err(|id| repeated(&id))?;
        Ok(PyByteArray::new(py, &added))
    }

    /// Forgets a document.
    fn remove(&self, id: Id) -> PyResult<()> {
        match self.documents().remove(&id) {
            true => Ok(()),
            false => Err(PyKeyError::new_err(format!("no document has the id {}", shown(&id)))),
        }
    }

    /// All documents as bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let stored = py.detach(|| self.stored());
        stored.map_err(|message| error::input(py, message, None))?.to_bytes(py)
    }

    /// The documents of such bytes.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let table = Table::from_bytes(bytes)?;
        Self::restored(&table).map_err(|message| error::input(py, message, None))
    }

    fn contains(&self, id: Id) -> bool {
        self.documents().contains(&id)
    }

    fn __len__(&self) -> usize {
        self.documents().len()
    }
}

impl SeenTexts {
    pub(super) fn empty(plan: Plan, exact: bool) -> Self {
        let documents = SeenDocuments::new(&plan);
        SeenTexts { plan, exact, builders: Mutex::default(), documents: Mutex::new(documents) }
    }

    fn documents(&self) -> MutexGuard<'_, SeenDocuments> {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds texts in their order. All threads sketch them, and one compares.
    fn add_texts(
        &self,
        texts: &dyn Texts,
        id: impl Fn(usize) -> Option<Id>,
        monitor: &Monitor,
    ) -> Result<Result<Vec<u8>, Id>, Error> {
        let (rows, mut added, mut buffer) = (texts.rows(), Vec::with_capacity(texts.rows()), Vec::new());
        let stage = monitor.stage("add", Unit::Documents, Some(rows as u64));
        for start in (0..rows).step_by(BLOCK) {
            monitor.interrupt.check()?;
            let block = start..(start + BLOCK).min(rows);
            let numbers: Vec<usize> = block.clone().collect();
            let read = read_texts(texts, &numbers, &mut buffer)?;
            let sketched: Vec<HeldSketch> = read.into_par_iter().map(|text| self.sketch(text)).collect();
            stage.inc(block.len() as u64);
            let mut documents = self.documents();
            for (row, sketched) in block.zip(sketched) {
                match documents.add(&self.plan, sketched, id(row)) {
                    Ok(found) => added.push(u8::from(found.is_none())),
                    Err(id) => return Ok(Err(id)),
                }
            }
        }
        Ok(Ok(added))
    }

    fn sketch(&self, text: &str) -> HeldSketch {
        let free = || self.builders.lock().unwrap_or_else(PoisonError::into_inner);
        let builder = free().pop();
        let mut builder =
            builder.unwrap_or_else(|| SketchBuilder::new(&self.plan, &Weights::Set, Level::detect()));
        let values = builder.sketch(text).signature.to_vec();
        let compared = self.exact.then(|| ComparedFeatures::of_last(&mut builder));
        free().push(builder);
        HeldSketch { signature: Signature::new(self.plan.signature_id(), values), compared }
    }
}

fn repeated(id: &Id) -> PyErr {
    PyValueError::new_err(format!("a document has the id {} already", shown(id)))
}

fn shown(id: &Id) -> String {
    match id {
        Id::Number(number) => number.to_string(),
        Id::Text(text) => format!("{text:?}"),
    }
}
