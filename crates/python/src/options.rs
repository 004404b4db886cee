//! Options of similarity, as keywords.

use crate::error;
use crate::frequencies::Frequencies;
use lookalike::text::{stop_word_languages, stop_words};
use lookalike::{
    Bits, FeatureHash, FeatureLevels, Measure, Method, Options, Plan, Scheme, Sketcher, Tie, Tokens,
    Weighting,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::collections::BTreeMap;

/// The options that were given.
#[derive(Default)]
pub(crate) struct Given {
    pub(crate) options: Options,
    /// Whether the program chooses between exact search and MinHash.
    pub(crate) is_auto: bool,
    pub(crate) frequencies: Option<Py<Frequencies>>,
    pub(crate) levels: Option<BTreeMap<String, u8>>,
}

/// The names of all options, for messages.
const NAMES: [&str; 20] = [
    "threshold",
    "measure",
    "shingle",
    "tokens",
    "stop_words",
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
        let Options { num_perm, bands, rows, scheme, .. } = given.options;
        given.is_auto &= num_perm.is_none() && bands.is_none() && rows.is_none() && scheme.is_none();
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
            "verify" => options.verify = Some(typed(name, value, "a bool")?),
            "measure" => options.measure = Some(named(name, value, &Measure::ALL)?),
            "tokens" => options.tokens = Some(tokens(value)?),
            "weights" => options.weighting = Some(named(name, value, &Weighting::ALL)?),
            "feature_hash" => options.feature_hash = Some(named(name, value, &FeatureHash::ALL)?),
            "scheme" => options.scheme = Some(named(name, value, &Scheme::ALL)?),
            "tie" => options.tie = Some(named(name, value, &TIES)?),
            "bits" => options.bits = Some(bits(value)?),
            "stop_words" => options.stop_words = Some(words(value)?),
            "method" => {
                let method = named(name, value, &METHODS)?;
                (self.is_auto, options.method) = (method.is_none(), method);
            }
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
    /// `PlanError` for a word that is not one shingle, or a level that is out of range.
    pub(crate) fn feature_levels(&self, py: Python<'_>, plan: &Plan) -> PyResult<Option<FeatureLevels>> {
        let Some(words) = &self.levels else { return Ok(None) };
        let mut levels = FeatureLevels::new(1).map_err(|error| error::of_plan(py, &error))?;
        let mut sketcher = Sketcher::new(plan);
        for (word, &level) in words {
            let tokens = sketcher.token_hashes(word).len();
            let (true, &[feature]) = (tokens == plan.shingle(), sketcher.features(word)) else {
                let message = format!("levels: {word:?} is not one shingle of {} tokens", plan.shingle());
                return Err(error::plan(py, "levels", message));
            };
            levels.insert(feature, level).map_err(|error| error::of_plan(py, &error))?;
        }
        Ok(Some(levels))
    }

    /// Refuses an option that would change nothing, because the caller expects something from it.
    pub(crate) fn refuse_without_effect(&self, py: Python<'_>) -> PyResult<()> {
        let given = &self.options;
        let simhash = given.method == Some(Method::SimHash);
        let weighs = simhash || given.measure == Some(Measure::Cosine);
        let minhash = !simhash && given.method != Some(Method::Exact);
        let compares = !simhash || given.verify == Some(true);
        let weights = |wanted| given.weighting == Some(wanted);
        let (by_simhash, by_minhash) = ("method=\"simhash\"", "method=\"minhash\"");
        let by_comparison = "verify=True; without it the distance of fingerprints decides alone";
        let effects = [
            ("hamming", given.hamming.is_some(), simhash, by_simhash),
            ("verify", given.verify == Some(true), simhash, by_simhash),
            ("bits", given.bits.is_some(), simhash, by_simhash),
            ("tie", given.tie.is_some(), simhash, by_simhash),
            ("feature_hash", given.feature_hash.is_some(), simhash, by_simhash),
            ("weights", given.weighting.is_some(), weighs, "method=\"simhash\" or measure=\"cosine\""),
            ("threshold", given.threshold.is_some(), compares, by_comparison),
            ("measure", given.measure.is_some(), compares, by_comparison),
            (
                "stop_words",
                given.stop_words.is_some(),
                given.tokens != Some(Tokens::Chars),
                "tokens=\"words\" or tokens=\"whitespace\"",
            ),
            ("recall", given.recall.is_some(), minhash, by_minhash),
            ("num_perm", given.num_perm.is_some(), minhash, by_minhash),
            ("bands", given.bands.is_some(), minhash, by_minhash),
            ("rows", given.rows.is_some(), minhash, by_minhash),
            ("scheme", given.scheme.is_some(), minhash, by_minhash),
            ("frequencies", self.frequencies.is_some(), weights(Weighting::TfIdf), "weights=\"tf-idf\""),
            ("levels", self.levels.is_some(), weights(Weighting::Levels), "weights=\"levels\""),
        ];
        if let Some((option, _, _, with)) = effects.into_iter().find(|(_, given, acts, _)| *given && !acts) {
            return Err(error::plan(py, option, format!("{option} needs {with}")));
        }
        if weights(Weighting::Levels) && self.levels.is_none() {
            return Err(error::plan(py, "weights", "weights=\"levels\" needs levels"));
        }
        Ok(())
    }
}

const METHODS: [(&str, Option<Method>); 4] = [
    ("auto", None),
    ("minhash", Some(Method::MinHash)),
    ("exact", Some(Method::Exact)),
    ("simhash", Some(Method::SimHash)),
];
const TIES: [(&str, Tie); 2] = [("zero", Tie::Zero), ("one", Tie::One)];

/// A value of a type that Python can make of it.
fn typed<'a, 'py, T: FromPyObject<'a, 'py>>(
    name: &str,
    value: &'a Bound<'py, PyAny>,
    expected: &str,
) -> PyResult<T> {
    value.extract().map_err(|_| wrong(name, value, expected))
}

/// A whole number of this type. One that is too large, or below 0, is out of range.
fn whole<'a, 'py, T: FromPyObject<'a, 'py>>(name: &str, value: &'a Bound<'py, PyAny>) -> PyResult<T> {
    match value.call_method0("__index__") {
        Ok(_) => value.extract().map_err(|_| {
            error::plan(
                value.py(),
                name,
                format!("{name} is {value}; it must be a number from 0 that a computer counts with"),
            )
        }),
        Err(_) => Err(wrong(name, value, "a whole number")),
    }
}

fn wrong(name: &str, value: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    let kind = value.get_type().name().map_or_else(|_| "another type".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{name} is {kind}; give {expected}"))
}

/// The value of a name.
fn named<T: Copy>(name: &str, value: &Bound<'_, PyAny>, names: &[(&str, T)]) -> PyResult<T> {
    let given: String = typed(name, value, "a str")?;
    names.iter().find(|(known, _)| *known == given).map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
        error::plan(value.py(), name, format!("{name} is {given:?}; it must be one of {}", names.join(", ")))
    })
}

fn tokens(value: &Bound<'_, PyAny>) -> PyResult<Tokens> {
    let given: String = typed("tokens", value, "a str")?;
    Tokens::named(&given).ok_or_else(|| {
        let message = format!("tokens is {given:?}; it must be one of words, whitespace, chars, jieba");
        error::plan(value.py(), "tokens", message)
    })
}

fn bits(value: &Bound<'_, PyAny>) -> PyResult<Bits> {
    let given: u32 = whole("bits", value)?;
    Bits::try_from(given)
        .map_err(|_| error::plan(value.py(), "bits", format!("bits is {given}; it must be 64 or 128")))
}

/// The stop words of a language.
/// The stop words of a language, or of an iterable.
fn words(value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if let Ok(language) = value.cast::<PyString>() {
        let language = language.to_cow()?;
        return of_language(value.py(), &language);
    }
    let items =
        value.try_iter().map_err(|_| wrong("stop_words", value, "a language or an iterable of words"))?;
    items.map(|item| typed("stop_words", &item?, "a language or an iterable of words")).collect()
}

/// The stop words of a language.
#[pyfunction(name = "stop_words")]
pub(crate) fn of_language(py: Python<'_>, language: &str) -> PyResult<Vec<String>> {
    stop_words(language).map(|words| words.map(str::to_owned).collect()).ok_or_else(|| {
        let languages = stop_word_languages().collect::<Vec<_>>().join(", ");
        let message = format!("stop_words is {language:?}; the languages are {languages}");
        error::plan(py, "stop_words", message)
    })
}

fn unknown(name: &str) -> PyErr {
    let distance = |known: &&&str| strsim::levenshtein(known, name);
    let near = NAMES.iter().min_by_key(distance).filter(|known| distance(known) <= 2);
    let hint = near.map(|known| format!("; did you mean {known:?}?")).unwrap_or_default();
    PyTypeError::new_err(format!("there is no option {name:?}{hint}"))
}
