//! A checked set of options.

mod keywords;

use crate::error;
use crate::frequencies::Frequencies;
use crate::options::Given;
use crate::scores::ScoreColumns;
use keywords::{options_of, repeatable};
use lookalike::frequent::{FrequentCounts, FrequentFeatures};
use lookalike::{DocumentFrequencies, Method, Options, Plan, PlanId};
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
    plan: Plan,
    /// The same plan by which frequent shingles count too, and the share from which they are frequent.
    dropping: Option<(Plan, f64)>,
    /// Whether the program chooses between exact search and MinHash.
    is_auto: bool,
    /// The options of the plan that were given.
    pub(crate) given: Options,
    frequencies: Option<Py<Frequencies>>,
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
        let mut plan = given.options.plan().map_err(|error| error::of_plan(py, &error))?;
        if let Some(levels) = given.feature_levels(py, &plan)? {
            plan = plan.with_levels(levels);
        }
        if let Some(frequencies) = &given.frequencies
            && frequencies.get().features() != plan.feature_id()
        {
            let message = "the frequencies were counted with other tokens, fold, shingle, stop_words, feature_hash or seed";
            return Err(error::incompatible(py, message.to_owned()));
        }
        let (whole, share) = (plan.clone(), given.drop_frequent);
        if let Some(share) = share {
            let frequent = match &given.frequencies {
                Some(table) => {
                    FrequentCounts::of_table(share, &table.get().table()).and_then(|counts| counts.features())
                }
                None => FrequentFeatures::new(share, Vec::new()),
            };
            let without = frequent.and_then(|frequent| plan.leaving_out(frequent));
            plan = without.map_err(|error| error::of_plan(py, &error))?;
        }
        Ok(CheckedPlan {
            plan,
            dropping: share.map(|share| (whole, share)),
            is_auto: given.is_auto,
            given: given.options,
            frequencies: given.frequencies,
            options: options.unbind(),
        })
    }

    /// The options that were given. All others have their defaults.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.options.bind(py).copy()
    }

    /// 16 hexadecimal digits. Sketches of equal ids can be compared, wherever they were made. While the shingles of drop_frequent are not
    /// counted, it is the id of the plan by which all count.
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
        self.score().name
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let options = self.options.bind(py).iter();
        let options = options.map(|(name, value)| Ok(format!("{name}={}", value.repr()?)));
        Ok(format!("Plan({})", options.collect::<PyResult<Vec<_>>>()?.join(", ")))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<CheckedPlan>().is_ok_and(|other| {
            let other = other.get();
            self.plan == other.plan
                && self.is_open() == other.is_open()
                && self.is_auto == other.is_auto
                && self.tables() == other.tables()
        })
    }

    fn __hash__(&self) -> u64 {
        let (PlanId(id), mut hasher) = (self.plan.id(), DefaultHasher::new());
        (id, self.plan.threshold().to_bits(), self.is_auto, self.tables()).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let (options, has_words) = (self.options.bind(py), !self.plan.stop_words().is_empty());
        let hashed = [
            ("stop_words", has_words),
            ("drop_frequent", self.plan.frequent().is_some()),
            ("levels", self.plan.levels().is_some()),
        ];
        for (option, has) in hashed {
            if has && !options.contains(option)? {
                let what = option.replace("drop_frequent", "frequent shingles").replace('_', " ");
                return Err(pyo3::exceptions::PyValueError::new_err(format!(
                    "the {what} of an index are known by their hashes only; pickle the index"
                )));
            }
        }
        let pickled = py.import("lookalike._pickled")?;
        let restore = pickled.getattr("restored_plan")?;
        (restore, (pickled.getattr("PICKLED")?, self.options(py)?, self.id())).into_pyobject(py)
    }
}

impl CheckedPlan {
    /// The columns of scores.
    pub(crate) fn score(&self) -> ScoreColumns {
        ScoreColumns::new(&self.plan, lookalike_report::score_column(&self.plan))
    }

    /// The columns of scores of removed documents.
    pub(crate) fn score_of_removed(&self) -> ScoreColumns {
        ScoreColumns::new(&self.plan, lookalike_report::score_column_of_removed(&self.plan))
    }

    /// The plan.
    ///
    /// # Errors
    /// `PlanError` if frequent shingles are to be counted: that is for a search.
    pub(crate) fn plan(&self, py: Python<'_>) -> PyResult<&Plan> {
        match self.is_open() {
            true => {
                let message = "drop_frequent needs frequencies here: dedup and pairs alone count the shingles of their documents";
                Err(error::plan(py, "drop_frequent", message))
            }
            false => Ok(&self.plan),
        }
    }

    /// Refuses to leave out frequent shingles, for what compares plans.
    ///
    /// # Errors
    /// `PlanError` if they are to be left out.
    pub(crate) fn refuse_drop_frequent(&self, py: Python<'_>, what: &str) -> PyResult<()> {
        match self.plan.frequent() {
            Some(_) => {
                Err(error::plan(py, "drop_frequent", format!("{what} all shingles: leave out drop_frequent")))
            }
            None => Ok(()),
        }
    }

    /// A job by this plan.
    ///
    /// # Errors
    /// As of [`CheckedPlan::plan`].
    pub(crate) fn job(&self, py: Python<'_>) -> PyResult<Job> {
        Ok(self.job_by(self.plan(py)?))
    }

    /// A job that searches by this plan. It counts frequent shingles if there are no frequencies.
    pub(crate) fn search_job(&self) -> Job {
        let Some((whole, share)) = &self.dropping else { return self.job_by(&self.plan) };
        let mut job = self.job_by(whole);
        job.request.drop_frequent = Some(*share);
        job
    }

    fn job_by(&self, plan: &Plan) -> Job {
        let mut job = Job::new(Vec::new(), plan.clone());
        job.request.auto = self.is_auto.then(Affordable::default);
        job.request.frequencies = self.frequencies();
        job
    }

    /// The document frequencies of weights by TF-IDF, if they are given.
    pub(crate) fn frequencies(&self) -> Option<Arc<DocumentFrequencies>> {
        self.frequencies.as_ref().map(|frequencies| frequencies.get().table())
    }

    /// The document frequencies, if weights need them.
    pub(crate) fn table_of_weights(&self) -> Option<Arc<DocumentFrequencies>> {
        self.frequencies().filter(|_| self.dropping.is_none())
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
        Ok(CheckedPlan { plan, dropping: None, is_auto: false, given, frequencies, options })
    }

    /// How many random documents an audit compares.
    ///
    /// # Errors
    /// `PlanError` if no document is compared, so that there is nothing to audit.
    pub(crate) fn audited(&self, py: Python<'_>, documents: u64) -> PyResult<u64> {
        match documents {
            1.. if self.plan.estimates() => {
                let message = "audit compares documents exactly: leave out verify=\"estimate\"";
                Err(error::plan(py, "audit", message))
            }
            1.. if !self.plan.verifies() => {
                let message = "audit needs verify=True; without it no document is compared with another";
                Err(error::plan(py, "audit", message))
            }
            documents => Ok(documents),
        }
    }

    /// Refuses estimates where features are compared anyway.
    ///
    /// # Errors
    /// `PlanError` if the plan estimates.
    pub(crate) fn refuse_estimates(&self, py: Python<'_>, verb: &str) -> PyResult<()> {
        match self.plan.estimates() {
            true => {
                let message = format!("{verb} compares exactly: leave out verify=\"estimate\"");
                Err(error::plan(py, "verify", message))
            }
            false => Ok(()),
        }
    }

    fn banded<T>(&self, value: T) -> PyResult<T> {
        match self.plan.method() {
            Method::MinHash => Ok(value),
            method => Err(PyAttributeError::new_err(format!("method {} has no bands", method.name()))),
        }
    }

    /// Whether frequent shingles are still to be counted.
    fn is_open(&self) -> bool {
        self.dropping.is_some() && self.frequencies.is_none()
    }

    /// The ids of the tables of weights.
    fn tables(&self) -> [Option<u64>; 2] {
        let frequencies = self.table_of_weights().map(|table| table.id());
        [frequencies, self.plan.levels().map(|levels| levels.id())]
    }
}
