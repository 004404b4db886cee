//! Documents that were seen before, in memory, one text at a time.

use crate::error;
use crate::input::Source;
use crate::plan::CheckedPlan;
use crate::wait::Run;
use lookalike::compare::Verifier;
use lookalike::search::{Compared, SketchBuilder};
use lookalike::{Level, Method, MinHashIndex, Plan, Signature, Similarity, Weights};
use lookalike_batch::Error;
use lookalike_corpus::Texts;
use lookalike_engine::progress::{Monitor, Unit};
use lookalike_engine::threads::in_pool;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use rayon::prelude::*;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The id of a document.
#[derive(Clone, Debug, PartialEq, Eq, Hash, FromPyObject, IntoPyObject)]
pub(crate) enum Id {
    #[pyo3(transparent)]
    Number(i64),
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
    pub(super) plan: Plan,
    /// Whether documents are compared exactly. Otherwise signatures estimate their similarity.
    pub(super) exact: bool,
    /// Builders that no thread uses now. To make one takes longer than to sketch a text.
    builders: Mutex<Vec<SketchBuilder>>,
    pub(super) documents: Mutex<SeenDocuments>,
}

/// The documents.
pub(super) struct SeenDocuments {
    index: MinHashIndex,
    /// Compares the features of a text with those of others.
    verifier: Verifier,
    pub(super) documents: Vec<SeenDocument>,
    numbers: HashMap<Id, u32>,
}

/// A document. A removed one has no signature in the index.
#[derive(Clone, Debug)]
pub(super) struct SeenDocument {
    pub(super) id: Option<Id>,
    /// Its features, if documents are compared exactly.
    pub(super) compared: Option<Compared>,
}

/// A text that is sketched.
pub(super) struct SketchedText {
    pub(super) signature: Signature,
    pub(super) compared: Option<Compared>,
}

#[pymethods]
impl SeenTexts {
    #[new]
    fn new(py: Python<'_>, plan: &CheckedPlan, exact: bool) -> PyResult<Self> {
        let plan = plan.plan.clone();
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
    fn add_many<'py>(&self, py: Python<'py>, source: &Source, run: &Run) -> PyResult<Bound<'py, PyByteArray>> {
        let texts = source.texts()?;
        let added = run.wait(py, |monitor| in_pool(run.threads(), || self.add_texts(&*texts, monitor)))?;
        let added = added.map_err(|id| repeated(&id))?;
        Ok(PyByteArray::new(py, &added))
    }

    /// Forgets a document.
    fn remove(&self, id: Id) -> PyResult<()> {
        let mut documents = self.documents();
        let number = documents.numbers.remove(&id).ok_or_else(|| {
            pyo3::exceptions::PyKeyError::new_err(format!("no document has the id {}", shown(&id)))
        })?;
        documents.index.remove(number);
        documents.documents[number as usize] = SeenDocument { id: None, compared: None };
        Ok(())
    }

    fn contains(&self, id: Id) -> bool {
        self.documents().numbers.contains_key(&id)
    }

    fn __len__(&self) -> usize {
        self.documents().index.len()
    }
}

impl SeenTexts {
    pub(super) fn empty(plan: Plan, exact: bool) -> Self {
        let documents = SeenDocuments {
            index: MinHashIndex::new(&plan),
            verifier: Verifier::new(Level::detect(), plan.measure(), plan.threshold()),
            documents: Vec::new(),
            numbers: HashMap::new(),
        };
        SeenTexts { plan, exact, builders: Mutex::default(), documents: Mutex::new(documents) }
    }

    pub(super) fn documents(&self) -> MutexGuard<'_, SeenDocuments> {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds texts in their order. All threads sketch them, and one compares.
    fn add_texts(&self, texts: &dyn Texts, monitor: &Monitor) -> Result<Result<Vec<u8>, Id>, Error> {
        let (rows, mut added) = (texts.rows(), Vec::with_capacity(texts.rows()));
        let stage = monitor.stage("add", Unit::Documents, Some(rows as u64));
        for start in (0..rows).step_by(BLOCK) {
            monitor.interrupt.check()?;
            let block = start..(start + BLOCK).min(rows);
            let sketch = |row| self.sketch(texts.text(row).unwrap_or_default());
            let sketched: Vec<SketchedText> = block.clone().into_par_iter().map(sketch).collect();
            stage.inc(block.len() as u64);
            let mut documents = self.documents();
            for (row, sketched) in block.zip(sketched) {
                let id = texts.id(row).map(|id| Id::Text(id.to_owned()));
                match documents.add(&self.plan, sketched, id) {
                    Ok(found) => added.push(u8::from(found.is_none())),
                    Err(id) => return Ok(Err(id)),
                }
            }
        }
        Ok(Ok(added))
    }

    fn sketch(&self, text: &str) -> SketchedText {
        let free = || self.builders.lock().unwrap_or_else(PoisonError::into_inner);
        let builder = free().pop();
        let mut builder =
            builder.unwrap_or_else(|| SketchBuilder::new(&self.plan, &Weights::Set, Level::detect()));
        let values = builder.sketch(text).signature.to_vec();
        let compared = self.exact.then(|| Compared::new(&mut builder, text));
        free().push(builder);
        SketchedText { signature: Signature::new(self.plan.signature_id(), values), compared }
    }
}

impl SeenDocuments {
    /// The documents whose signatures are similar enough to be compared, in the order in which they were added, with their estimates.
    fn candidates(&self, plan: &Plan, signature: &Signature) -> Vec<(u32, Similarity)> {
        let values = plan.num_perm() as f64;
        let passes = |estimate: Similarity| {
            plan.signature_filter().passes((estimate.value() * values).round() as u32)
        };
        // All signatures are of one plan.
        let found = self.index.query(signature).unwrap_or_default();
        let found = found.into_iter().filter(|candidate| passes(candidate.estimate));
        let mut found: Vec<(u32, Similarity)> =
            found.map(|candidate| (candidate.id, candidate.estimate)).collect();
        found.sort_unstable_by_key(|(number, _)| *number);
        found
    }

    /// Calls `visit` with each document that is similar, until it returns false.
    fn visit(&mut self, plan: &Plan, text: &SketchedText, mut visit: impl FnMut(FoundMatch) -> bool) {
        let candidates = self.candidates(plan, &text.signature);
        let SeenDocuments { verifier, documents, .. } = self;
        let mut held = text.compared.as_ref().map(|compared| verifier.hold(compared.set()));
        for (number, estimate) in candidates {
            let document = &documents[number as usize];
            let similarity = match (&mut held, &document.compared) {
                (Some(held), Some(compared)) => held.reaches(compared.set()),
                _ => Some(estimate).filter(|estimate| estimate.value() >= plan.threshold()),
            };
            let Some(similarity) = similarity else { continue };
            if !visit((number, document.id.clone(), similarity.value())) {
                break;
            }
        }
    }

    fn first(&mut self, plan: &Plan, text: &SketchedText) -> Option<FoundMatch> {
        let mut first = None;
        self.visit(plan, text, |found| {
            first = Some(found);
            false
        });
        first
    }

    fn all(&mut self, plan: &Plan, text: &SketchedText) -> Vec<FoundMatch> {
        let mut all = Vec::new();
        self.visit(plan, text, |found| {
            all.push(found);
            true
        });
        all
    }

    /// Adds a text, unless it is similar to a document.
    ///
    /// # Errors
    /// The id, if another document has it.
    fn add(&mut self, plan: &Plan, text: SketchedText, id: Option<Id>) -> Result<Option<FoundMatch>, Id> {
        if let Some(found) = self.first(plan, &text) {
            return Ok(Some(found));
        }
        let SketchedText { signature, compared } = text;
        self.push(signature, SeenDocument { id, compared }).map(|()| None)
    }

    /// Adds a document.
    ///
    /// # Errors
    /// Its id, if another document has it.
    pub(super) fn push(&mut self, signature: Signature, document: SeenDocument) -> Result<(), Id> {
        let number = self.documents.len() as u32;
        if let Some(id) = &document.id {
            match self.numbers.entry(id.clone()) {
                Entry::Occupied(entry) => return Err(entry.key().clone()),
                Entry::Vacant(entry) => entry.insert(number),
            };
        }
        // All signatures are of one plan.
        let _ = self.index.insert(number, signature);
        self.documents.push(document);
        Ok(())
    }

    /// The signature of a document. A removed one has none.
    pub(super) fn signature(&self, number: u32) -> Option<&Signature> {
        self.index.get(number)
    }
}

fn repeated(id: &Id) -> PyErr {
    pyo3::exceptions::PyValueError::new_err(format!("a document has the id {} already", shown(id)))
}

fn shown(id: &Id) -> String {
    match id {
        Id::Number(number) => number.to_string(),
        Id::Text(text) => format!("{text:?}"),
    }
}
