//! The texts of a list of `str`. Those beyond ASCII are converted when they are read.
//!
//! Python stores ASCII as UTF-8, and so these texts are read where they are. Others are converted a chunk of rows at a time, by the thread that
//! reads them, which needs the interpreter for it. Python could keep their UTF-8 with the texts, but as much memory would stay taken as the
//! texts live, and one thread would have to convert all of them before any is read.

use crate::error;
use lookalike_corpus::{Texts, UnreadableText};
use pyo3::exceptions::PyRuntimeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBytes, PyList, PyString};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// The texts of a list. `None` stands for an empty one.
#[derive(Debug)]
pub(crate) struct ListTexts(Vec<ListText>);

#[derive(Debug)]
enum ListText {
    Nothing,
    Utf8(PyBackedStr),
    Wide(WideText),
}

/// A text beyond ASCII.
#[derive(Debug)]
struct WideText {
    text: Py<PyString>,
    characters: u64,
    /// The length in UTF-8, once it was converted. Before, it is 0.
    bytes: AtomicU64,
}

impl ListTexts {
    /// # Errors
    /// `TypeError` for an item that is no text. It names the row.
    pub(crate) fn new(list: &Bound<'_, PyList>) -> PyResult<Self> {
        let texts = list.iter().enumerate().map(|(row, item)| ListText::of(row, item));
        Ok(ListTexts(texts.collect::<PyResult<_>>()?))
    }

    /// The first row that may have more than so many bytes, and its bytes.
    pub(super) fn longer(&self, py: Python<'_>, limit: usize) -> PyResult<Option<(usize, usize)>> {
        for (row, text) in self.0.iter().enumerate() {
            let bytes = match text {
                ListText::Nothing => 0,
                ListText::Utf8(text) => text.len(),
                // A character has four bytes at most.
                ListText::Wide(wide) if wide.characters <= limit as u64 / 4 => 0,
                ListText::Wide(wide) => wide.encode(py, row)?.as_bytes().len(),
            };
            if bytes > limit {
                return Ok(Some((row, bytes)));
            }
        }
        Ok(None)
    }
}

impl ListText {
    fn of(row: usize, item: Bound<'_, PyAny>) -> PyResult<Self> {
        if item.is_none() {
            return Ok(ListText::Nothing);
        }
        let text = item.cast_into::<PyString>().map_err(|error| not_str(row, error.into_inner()))?;
        // A subclass may say anything of itself.
        if text.is_exact_instance_of::<PyString>()
            && !text.call_method0(intern!(text.py(), "isascii"))?.is_truthy()?
        {
            let characters = text.len()? as u64;
            return Ok(ListText::Wide(WideText {
                text: text.unbind(),
                characters,
                bytes: AtomicU64::new(0),
            }));
        }
        let py = text.py();
        PyBackedStr::try_from(text).map(ListText::Utf8).inspect_err(|error| name_row(py, error, row))
    }

    fn length(&self) -> u64 {
        match self {
            ListText::Nothing => 0,
            ListText::Utf8(text) => text.len() as u64,
            ListText::Wide(wide) => wide.characters,
        }
    }

    fn bytes(&self) -> u64 {
        match self {
            ListText::Wide(wide) => wide.characters.max(wide.bytes.load(Ordering::Relaxed)),
            _ => self.length(),
        }
    }
}

impl WideText {
    fn encode<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyBytes>> {
        let encoded = self.text.bind(py).encode_utf8().inspect_err(|error| name_row(py, error, row))?;
        self.bytes.store(encoded.as_bytes().len() as u64, Ordering::Relaxed);
        Ok(encoded)
    }
}

impl Texts for ListTexts {
    fn rows(&self) -> usize {
        self.0.len()
    }

    /// Texts beyond ASCII are estimated by their characters.
    fn length(&self, row: usize) -> u64 {
        self.0[row].length()
    }

    fn texts<'t>(
        &'t self,
        rows: &[usize],
        buffer: &'t mut Vec<u8>,
    ) -> Result<Vec<Option<&'t str>>, UnreadableText> {
        let wide = rows.iter().filter_map(|&row| match &self.0[row] {
            ListText::Wide(wide) => Some((row, wide)),
            _ => None,
        });
        let mut spans = spans_of(wide, buffer)?.into_iter();
        let converted = std::str::from_utf8(buffer)?;
        let text = |&row: &usize| {
            Some(match &self.0[row] {
                ListText::Nothing => "",
                ListText::Utf8(text) => text,
                ListText::Wide(_) => &converted[spans.next()?],
            })
        };
        Ok(rows.iter().map(text).collect())
    }

    fn bytes(&self) -> u64 {
        self.0.iter().map(ListText::bytes).sum()
    }
}

/// Puts the UTF-8 of texts into the buffer, and says where each is.
fn spans_of<'t>(
    mut texts: impl Iterator<Item = (usize, &'t WideText)>,
    buffer: &mut Vec<u8>,
) -> Result<Vec<Range<usize>>, UnreadableText> {
    buffer.clear();
    let mut spans = Vec::new();
    let Some(first) = texts.next() else { return Ok(spans) };
    let convert = |py: Python<'_>| -> PyResult<()> {
        for (row, text) in std::iter::once(first).chain(texts) {
            // The object goes away at once, so that the next one takes the same memory.
            let encoded = text.encode(py, row)?;
            let start = buffer.len();
            buffer.extend_from_slice(encoded.as_bytes());
            spans.push(start..buffer.len());
        }
        Ok(())
    };
    Python::try_attach(convert).unwrap_or_else(|| Err(PyRuntimeError::new_err("the interpreter ends")))?;
    Ok(spans)
}

fn not_str(row: usize, item: Bound<'_, PyAny>) -> PyErr {
    match item.get_type().name() {
        Ok(name) => error::wrong_type(format!("row {row} is {name}, not str")),
        Err(error) => error,
    }
}

/// Names the row in an error of Python, which names the character only.
fn name_row(py: Python<'_>, error: &PyErr, row: usize) {
    let reason = format!("row {row}: half of a surrogate pair is no character");
    let _ = error.value(py).setattr("reason", reason);
}
