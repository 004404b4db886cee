//! A checked set of options.

mod keywords;

use crate::error;
use crate::frequencies::Frequencies;
use crate::options::Given;
use keywords::{options_of, repeatable};
use lookalike::{DocumentFrequencies, FeatureLevels, Method, Options, Plan, PlanId};
use lookalike_batch::Job;
use lookalike_engine::index::NewIndex;
use lookalike_engine::request::Affordable;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// A checked set of options of similarity. It does not change, and may be used for any number of calls.
///
/// >>> import lookalike
/// >>> plan = lookalike.Plan(threshold=0.7, method="minhash")
/// >>> plan.bands, plan.rows
/// (32, 4)
///
/// Raises `PlanError`, a `ValueError`, that names the option that is out of range, or the two that do not go together.
#[pyclass(frozen, name = "Plan", module = "lookalike")]
pub(crate) struct CheckedPlan {
    pub(crate) plan: Plan,
    /// Whether the program chooses between exact search and MinHash.
    is_auto: bool,
    /// The options of the plan that were given.
    pub(crate) given: Options,
    frequencies: Option<Py<Frequencies>>,
    levels: Option<Arc<FeatureLevels>>,
    /// The options as they were given.
    options: Py<PyDict>,
}

#[pymethods]
impl CheckedPlan {
    #[new]
    #[pyo3(signature = (**options))]
    fn new(py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let options = repeatable(py, options)?;
        let given = Given::new(Some(&options))?;
        given.refuse_without_effect(py)?;
        let plan = given.options.plan().map_err(|error| error::of_plan(py, &error))?;
        let levels = given.feature_levels(py, &plan)?.map(Arc::new);
        if let Some(frequencies) = &given.frequencies
            && frequencies.get().features() != plan.feature_id()
        {
            let message = "the frequencies were counted with other tokens, fold, shingle, stop_words, feature_hash or seed";
            return Err(error::incompatible(py, message.to_owned()));
        }
        Ok(CheckedPlan {
            plan,
            is_auto: given.is_auto,
            given: given.options,
            frequencies: given.frequencies,
            levels,
            options: options.unbind(),
        })
    }

    /// The options that were given. All others have their defaults.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.options.bind(py).copy()
    }

    /// 16 hexadecimal digits. Sketches of equal ids can be compared, wherever they were made.
    #[getter]
    fn id(&self) -> String {
        self.plan.id().to_string()
    }

    /// The bands of a signature.
    #[getter]
    fn bands(&self) -> PyResult<usize> {
        self.banded(self.plan.banding().bands)
    }

    /// The values of a band.
    #[getter]
    fn rows(&self) -> PyResult<usize> {
        self.banded(self.plan.banding().rows)
    }

    /// The least similarity of similar documents.
    #[getter]
    fn threshold(&self) -> f64 {
        self.plan.threshold()
    }

    /// Tokens of a shingle.
    #[getter]
    fn shingle(&self) -> usize {
        self.plan.shingle()
    }

    /// The chance that MinHash finds a pair of this Jaccard similarity: that it shares a band, and passes the filter of signatures.
    fn probability(&self, similarity: f64) -> PyResult<f64> {
        if !(0.0..=1.0).contains(&similarity) {
            return Err(pyo3::exceptions::PyValueError::new_err(format!(
                "similarity is {similarity}; it must be from 0 to 1"
            )));
        }
        self.banded(self.plan.minhash_probability(similarity))
    }

    /// The name of the measure, as the column of a list.
    #[getter]
    fn score_column(&self) -> &'static str {
        lookalike_report::score_column(&self.plan).0
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let options = self.options.bind(py).iter();
        let options = options.map(|(name, value)| Ok(format!("{name}={}", value.repr()?)));
        Ok(format!("Plan({})", options.collect::<PyResult<Vec<_>>>()?.join(", ")))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<CheckedPlan>().is_ok_and(|other| {
            let other = other.get();
            self.plan == other.plan && self.is_auto == other.is_auto && self.tables() == other.tables()
        })
    }

    fn __hash__(&self) -> u64 {
        let (PlanId(id), mut hasher) = (self.plan.id(), DefaultHasher::new());
        (id, self.plan.threshold().to_bits(), self.is_auto, self.tables()).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        if !self.plan.stop_words().is_empty() && !self.options.bind(py).contains("stop_words")? {
            return Err(pyo3::exceptions::PyValueError::new_err(
                "the stop words of an index are known by their hashes only; pickle the index",
            ));
        }
        let pickled = py.import("lookalike._pickled")?;
        let restore = pickled.getattr("restored_plan")?;
        (restore, (pickled.getattr("PICKLED")?, self.options(py)?, self.id())).into_pyobject(py)
    }
}

impl CheckedPlan {
    /// Makes a job search by this plan.
    pub(crate) fn job(&self) -> Job {
        let mut job = Job::new(Vec::new(), self.plan.clone());
        job.request.auto = self.is_auto.then(Affordable::default);
        job.request.frequencies = self.frequencies();
        job.request.levels = self.levels.clone();
        job
    }

    /// The document frequencies of weights by TF-IDF, if they are given.
    pub(crate) fn frequencies(&self) -> Option<Arc<DocumentFrequencies>> {
        self.frequencies.as_ref().map(|frequencies| frequencies.get().table())
    }

    /// The plan of an index, with its document frequencies. Its stop words are known by their hashes only, so `options` lacks them.
    pub(crate) fn of_index(py: Python<'_>, made: NewIndex) -> PyResult<Self> {
        let NewIndex { plan, frequencies, .. } = made;
        let options = options_of(py, &plan)?;
        let table = |table| Py::new(py, Frequencies::shared(table));
        let frequencies = frequencies.map(table).transpose()?;
        if let Some(frequencies) = &frequencies {
            options.set_item("frequencies", frequencies)?;
        }
        let (given, options) = (Options::default(), options.unbind());
        Ok(CheckedPlan { plan, is_auto: false, given, frequencies, levels: None, options })
    }

    /// How many random documents an audit compares.
    ///
    /// # Errors
    /// `PlanError` if no document is compared, so that there is nothing to audit.
    pub(crate) fn audited(&self, py: Python<'_>, documents: u64) -> PyResult<u64> {
        match documents {
            1.. if !self.plan.verifies() => {
                let message = "audit needs verify=True; without it no document is compared with another";
                Err(error::plan(py, "audit", message))
            }
            documents => Ok(documents),
        }
    }

    fn banded<T>(&self, value: T) -> PyResult<T> {
        match self.plan.method() {
            Method::MinHash => Ok(value),
            method => Err(PyAttributeError::new_err(format!("method {} has no bands", method.name()))),
        }
    }

    /// The ids of the tables of weights.
    fn tables(&self) -> [Option<u64>; 2] {
        let frequencies = self.frequencies().map(|table| table.id());
        [frequencies, self.levels.as_ref().map(|levels| levels.id())]
    }
}
