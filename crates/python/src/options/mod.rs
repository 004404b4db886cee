//! Options of similarity, as keywords.

mod effect;
mod values;

pub(crate) use values::of_language;

use crate::error;
use crate::frequencies::Frequencies;
use lookalike::{
    FeatureHash, FeatureLevels, Measure, Method, Options, Plan, Scheme, Sketcher, Tie, Verification,
    Weighting,
};
use pyo3::exceptions::{PyTypeError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use values::{bits, folds, lines, named, tokens, typed, verification, whole, words, wrong};

/// The options that were given.
#[derive(Default)]
pub(crate) struct Given {
    pub(crate) options: Options,
    /// Whether the program chooses between exact search and MinHash.
    pub(crate) is_auto: bool,
    pub(crate) drop_frequent: Option<f64>,
    pub(crate) frequencies: Option<Py<Frequencies>>,
    pub(crate) levels: Option<BTreeMap<String, u8>>,
}

/// The names of all options, for messages.
const NAMES: [&str; 23] = [
    "threshold",
    "measure",
    "shingle",
    "tokens",
    "fold",
    "stop_words",
    "jieba_dict",
    "drop_frequent",
    "method",
    "recall",
    "num_perm",
    "bands",
    "rows",
    "scheme",
    "seed",
    "hamming",
    "bits",
    "verify",
    "weights",
    "frequencies",
    "levels",
    "feature_hash",
    "tie",
];

impl Given {
    /// # Errors
    /// `TypeError` for an unknown option, or a value of the wrong type. `PlanError` for a name that is unknown, or an option without effect.
    pub(crate) fn new(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut given = Given { is_auto: true, ..Given::default() };
        for (name, value) in keywords.into_iter().flatten() {
            let name: String = name.extract()?;
            if !NAMES.contains(&name.as_str()) {
                return Err(unknown(&name));
            }
            // None stands for the default everywhere.
            if !value.is_none() {
                given.take(&name, &value)?;
            }
        }
        let Options { num_perm, bands, rows, scheme, verify, .. } = given.options;
        given.is_auto &= num_perm.is_none() && bands.is_none() && rows.is_none() && scheme.is_none();
        given.is_auto &= verify != Some(Verification::Estimate);
        Ok(given)
    }

    fn take(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let options = &mut self.options;
        match name {
            "threshold" => options.threshold = Some(typed(name, value, "a number")?),
            "recall" => options.recall = Some(typed(name, value, "a number")?),
            "shingle" => options.shingle = Some(whole(name, value)?),
            "num_perm" => options.num_perm = Some(whole(name, value)?),
            "bands" => options.bands = Some(whole(name, value)?),
            "rows" => options.rows = Some(whole(name, value)?),
            "seed" => options.seed = Some(whole(name, value)?),
            "hamming" => options.hamming = Some(whole(name, value)?),
            "verify" => options.verify = verification(value)?,
            "measure" => options.measure = Some(named(name, value, &Measure::ALL)?),
            "tokens" => options.tokens = Some(tokens(value)?),
            "fold" => options.fold = Some(folds(value)?),
            "weights" => options.weighting = Some(named(name, value, &Weighting::ALL)?),
            "feature_hash" => options.feature_hash = Some(named(name, value, &FeatureHash::ALL)?),
            "scheme" => options.scheme = Some(named(name, value, &Scheme::ALL)?),
            "tie" => options.tie = Some(named(name, value, &TIES)?),
            "bits" => options.bits = Some(bits(value)?),
            "stop_words" => options.stop_words = Some(words(value)?),
            "jieba_dict" => options.jieba_dict = Some(lines(value)?),
            "method" => {
                let method = named(name, value, &METHODS)?;
                (self.is_auto, options.method) = (method.is_none(), method);
            }
            "drop_frequent" => self.drop_frequent = Some(typed(name, value, "a number")?),
            "frequencies" => {
                self.frequencies = Some(
                    value
                        .cast::<Frequencies>()
                        .map_err(|_| wrong(name, value, "Frequencies"))?
                        .clone()
                        .unbind(),
                );
            }
            "levels" => self.levels = Some(typed(name, value, "a mapping of words to levels from 1 to 5")?),
            _ => {}
        }
        Ok(())
    }

    /// The levels of features.
    ///
    /// # Errors
    /// `PlanError` if no word is one shingle, or for a level that is out of range. Some words that are not one shingle are left out with a warning.
    pub(crate) fn feature_levels(&self, py: Python<'_>, plan: &Plan) -> PyResult<Option<FeatureLevels>> {
        let Some(words) = &self.levels else { return Ok(None) };
        let mut levels = FeatureLevels::new(1).map_err(|error| error::of_plan(py, &error))?;
        let mut sketcher = Sketcher::new(plan);
        let mut cut = Vec::new();
        for (word, &level) in words {
            let tokens = sketcher.token_hashes(word).len();
            match (tokens == plan.shingle(), sketcher.features(word)) {
                (true, &[feature]) => {
                    levels.insert(feature, level).map_err(|error| error::of_plan(py, &error))?;
                }
                _ => cut.push(&word[..]),
            }
        }
        cut.sort_unstable();
        match cut.first() {
            Some(word) if cut.len() == words.len() => {
                let message = format!("levels: \"{word}\" is not one shingle of {} tokens", plan.shingle());
                return Err(error::plan(py, "levels", message));
            }
            Some(_) => {
                let message =
                    format!("levels: the tokens cut these words, which have no level: {}", cut.join(", "));
                let message = std::ffi::CString::new(message).unwrap_or_default();
                PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 2)?;
            }
            None => {}
        }
        Ok(Some(levels))
    }
}

const METHODS: [(&str, Option<Method>); 4] = [
    ("auto", None),
    ("minhash", Some(Method::MinHash)),
    ("exact", Some(Method::Exact)),
    ("simhash", Some(Method::SimHash)),
];
const TIES: [(&str, Tie); 2] = [("zero", Tie::Zero), ("one", Tie::One)];

fn unknown(name: &str) -> PyErr {
    let distance = |known: &&&str| strsim::levenshtein(known, name);
    let near = NAMES.iter().min_by_key(distance).filter(|known| distance(known) <= 2);
    let hint = near.map(|known| format!("; did you mean {known:?}?")).unwrap_or_default();
    PyTypeError::new_err(format!("there is no option {name:?}{hint}"))
}
