//! The texts of a list of `str`, which are not copied.

use crate::error;
use lookalike_corpus::Texts;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyList, PyString};
use std::sync::Arc;

/// The texts of a list. `None` stands for an empty one.
#[derive(Debug)]
pub(crate) struct ListTexts(Vec<Option<PyBackedStr>>);

impl ListTexts {
    /// # Errors
    /// `TypeError` for an item that is no text, `UnicodeEncodeError` for one that has half of a surrogate pair. Both name the row.
    pub(crate) fn new(list: &Bound<'_, PyList>) -> PyResult<Self> {
        let mut texts = Vec::with_capacity(list.len());
        for (row, item) in list.iter().enumerate() {
            texts.push(if item.is_none() { None } else { Some(text(row, item)?) });
        }
        Ok(ListTexts(texts))
    }
}

fn text(row: usize, item: Bound<'_, PyAny>) -> PyResult<PyBackedStr> {
    let py = item.py();
    match item.cast_into::<PyString>() {
        Ok(text) => PyBackedStr::try_from(text).inspect_err(|error| {
            let reason = format!("row {row}: half of a surrogate pair is no character");
            // The error of Python names the character, and not the row.
            let _ = error.value(py).setattr("reason", reason);
        }),
        Err(error) => {
            let name = error.into_inner().get_type().name()?;
            Err(error::wrong_type(format!("row {row} is {name}, not str")))
        }
    }
}

impl Texts for ListTexts {
    fn rows(&self) -> usize {
        self.0.len()
    }

    fn text(&self, row: usize) -> Option<&str> {
        Some(self.0[row].as_deref().unwrap_or_default())
    }
}

/// Texts without ids, which get numbers as ids.
pub(crate) struct NumberedTexts {
    texts: Arc<dyn Texts>,
    ids: Vec<String>,
}

impl NumberedTexts {
    /// The first one gets the number `first`.
    pub(crate) fn new(texts: Arc<dyn Texts>, first: u64) -> Self {
        let ids = (first..).take(texts.rows()).map(|number| number.to_string()).collect();
        NumberedTexts { texts, ids }
    }
}

impl Texts for NumberedTexts {
    fn rows(&self) -> usize {
        self.texts.rows()
    }

    fn text(&self, row: usize) -> Option<&str> {
        self.texts.text(row)
    }

    fn id(&self, row: usize) -> Option<&str> {
        Some(&self.ids[row])
    }

    fn number(&self, row: usize) -> Option<f64> {
        self.texts.number(row)
    }
}
