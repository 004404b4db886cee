//! The values of options.

use crate::error;
use lookalike::text::{Fold, Folds, stop_word_languages, stop_words};
use lookalike::{Bits, Tokens, Verification};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// A value of a type that Python can make of it.
pub(super) fn typed<'a, 'py, T: FromPyObject<'a, 'py>>(
    name: &str,
    value: &'a Bound<'py, PyAny>,
    expected: &str,
) -> PyResult<T> {
    value.extract().map_err(|_| wrong(name, value, expected))
}

/// A whole number of this type. One that is too large, or below 0, is out of range.
pub(super) fn whole<'a, 'py, T: FromPyObject<'a, 'py>>(
    name: &str,
    value: &'a Bound<'py, PyAny>,
) -> PyResult<T> {
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

pub(super) fn wrong(name: &str, value: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    let kind = value.get_type().name().map_or_else(|_| "another type".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{name} is {kind}; give {expected}"))
}

/// The value of a name.
pub(super) fn named<T: Copy>(name: &str, value: &Bound<'_, PyAny>, names: &[(&str, T)]) -> PyResult<T> {
    let given: String = typed(name, value, "a str")?;
    names.iter().find(|(known, _)| *known == given).map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
        error::plan(value.py(), name, format!("{name} is {given:?}; it must be one of {}", names.join(", ")))
    })
}

/// What decides about candidates: a bool, or a name.
pub(super) fn verification(value: &Bound<'_, PyAny>) -> PyResult<Option<Verification>> {
    if let Ok(exact) = value.extract::<bool>() {
        return Ok(exact.then_some(Verification::Exact));
    }
    if !value.is_instance_of::<PyString>() {
        return Err(wrong("verify", value, "a bool, \"exact\" or \"estimate\""));
    }
    let names = [Verification::Exact, Verification::Estimate].map(|verify| (verify.name(), verify));
    named("verify", value, &names).map(Some)
}

pub(super) fn tokens(value: &Bound<'_, PyAny>) -> PyResult<Tokens> {
    let given: String = typed("tokens", value, "a str")?;
    Tokens::named(&given).ok_or_else(|| {
        let message = format!("tokens is {given:?}; it must be one of words, whitespace, chars, jieba");
        error::plan(value.py(), "tokens", message)
    })
}

/// Folds: names with commas between them, or an iterable of names.
pub(super) fn folds(value: &Bound<'_, PyAny>) -> PyResult<Folds> {
    let expected = "names of folds: \"digits,accents\" or an iterable";
    let names: Vec<String> = match value.extract::<String>() {
        Ok(names) => names.split(',').map(str::to_owned).collect(),
        Err(_) => {
            let items = value.try_iter().map_err(|_| wrong("fold", value, expected))?;
            items.map(|item| typed("fold", &item?, expected)).collect::<PyResult<_>>()?
        }
    };
    let fold = |given: String| {
        Fold::ALL.into_iter().find(|(name, _)| *name == given).map(|(_, fold)| fold).ok_or_else(|| {
            let names = Fold::ALL.map(|(name, _)| name).join(", ");
            error::plan(value.py(), "fold", format!("fold is {given:?}; it must be one of {names}"))
        })
    };
    names.into_iter().map(fold).collect()
}

pub(super) fn bits(value: &Bound<'_, PyAny>) -> PyResult<Bits> {
    let given: u32 = whole("bits", value)?;
    Bits::try_from(given)
        .map_err(|_| error::plan(value.py(), "bits", format!("bits is {given}; it must be 64 or 128")))
}

/// The stop words of a language, or of an iterable.
pub(super) fn words(value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if let Ok(language) = value.cast::<PyString>() {
        let language = language.to_cow()?;
        return of_language(value.py(), &language);
    }
    let items =
        value.try_iter().map_err(|_| wrong("stop_words", value, "a language or an iterable of words"))?;
    items.map(|item| typed("stop_words", &item?, "a language or an iterable of words")).collect()
}

/// The lines of a dictionary of jieba.
pub(super) fn lines(value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let kind = "an iterable of lines, each a word and perhaps its frequency";
    if value.is_instance_of::<PyString>() {
        return Err(wrong("jieba_dict", value, kind));
    }
    let items = value.try_iter().map_err(|_| wrong("jieba_dict", value, kind))?;
    items.map(|item| typed("jieba_dict", &item?, kind)).collect()
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
