//! The texts of a list of `str`. Those beyond ASCII are converted when they are read.
//!
//! Python stores ASCII as UTF-8, and so these texts are read where they are. Others are converted a chunk of rows at a time, by the thread that
//! reads them, which needs the interpreter for it. Python could keep their UTF-8 with the texts, but this memory would stay taken as long as the
//! texts live, and one thread would have to convert all of them before any is read.

use super::ahead::items;
use super::utf8::{self, Utf8Texts};
use crate::error;
use lookalike_corpus::{Texts, UnreadableText, fetch_ahead};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBytes, PyList, PyString};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// The bytes before the characters of a text, and those of most characters beyond ASCII. More is known to the interpreter only.
const HEADER: usize = 56;
const WIDTH: usize = 2;

/// How many texts lie between the one that is fetched into the cache and the one that is used, as for [`items`].
const AHEAD: usize = 16;

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
        utf8::choose();
        let texts = items(list).enumerate().map(|(row, item)| ListText::of(row, item));
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

impl ListTexts {
    /// The items whose rows have a `mask` other than 0: the objects that the list had.
    pub(super) fn chosen<'py>(&self, py: Python<'py>, mask: &[u8]) -> PyResult<Bound<'py, PyList>> {
        let chosen = (0..).zip(&self.0).zip(mask).filter(|(_, byte)| **byte != 0);
        let object = |((row, text), _): ((usize, &ListText), _)| {
            self.0.get(row + AHEAD).into_iter().for_each(ListText::fetch_object);
            text.object(py)
        };
        PyList::new(py, chosen.map(object).collect::<Vec<_>>())
    }
}

impl ListText {
    /// Fetches the count of references to the object into the cache.
    fn fetch_object(&self) {
        match self {
            ListText::Nothing => {}
            ListText::Utf8(text) => fetch_ahead(text.as_py_str().as_ptr().cast(), 1),
            ListText::Wide(wide) => fetch_ahead(wide.text.as_ptr().cast(), 1),
        }
    }

    /// The object of Python.
    fn object<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        match self {
            ListText::Nothing => py.None().into_bound(py),
            ListText::Utf8(text) => text.as_py_str().bind(py).clone().into_any(),
            ListText::Wide(wide) => wide.text.bind(py).clone().into_any(),
        }
    }

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
    /// Appends the text, and returns its place.
    fn append(
        &self,
        py: Python<'_>,
        row: usize,
        to: &mut Utf8Texts<'_>,
        points: &mut Vec<u32>,
    ) -> PyResult<Range<usize>> {
        let Ok(place) = to.push(self.code_points(py, points)?) else {
            let refused = self.encode(py, row).err();
            return Err(refused.unwrap_or_else(|| PyValueError::new_err(format!("row {row}: not Unicode"))));
        };
        self.bytes.store(place.len() as u64, Ordering::Relaxed);
        Ok(place)
    }

    /// Fetches the start of the text into the cache, while the text before it is converted.
    fn fetch(&self) {
        fetch_ahead(self.text.as_ptr().cast(), HEADER + WIDTH * self.characters as usize);
    }

    /// The code points, which `points` has memory for.
    fn code_points<'p>(&self, py: Python<'_>, points: &'p mut Vec<u32>) -> PyResult<&'p [u32]> {
        let characters = self.characters as usize;
        points.clear();
        points.reserve(characters);
        let (text, room) = (self.text.as_ptr(), characters as ffi::Py_ssize_t);
        #[expect(unsafe_code, reason = "Python shows the characters of a text only by a pointer")]
        // SAFETY: The pointer has room for as many code points as Python is told, and Python writes all of them, or returns null.
        unsafe {
            if ffi::PyUnicode_AsUCS4(text, points.as_mut_ptr(), room, 0).is_null() {
                return Err(PyErr::fetch(py));
            }
            points.set_len(characters);
        }
        Ok(points)
    }

    /// The UTF-8 by the encoder of Python, which says why there is none.
    fn encode<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyBytes>> {
        self.text.bind(py).encode_utf8().inspect_err(|error| name_row(py, error, row))
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
        let (spans, converted) = converted(wide, buffer)?;
        let mut spans = spans.into_iter();
        let text = |&row: &usize| match &self.0[row] {
            ListText::Nothing => None,
            ListText::Utf8(text) => Some(&text[..]),
            ListText::Wide(_) => Some(&converted[spans.next()?]),
        };
        Ok(rows.iter().map(text).collect())
    }

    fn bytes(&self) -> u64 {
        self.0.iter().map(ListText::bytes).sum()
    }
}

/// The texts in UTF-8, and where each of them is.
fn converted<'t, 'b>(
    texts: impl Iterator<Item = (usize, &'t WideText)> + Clone,
    buffer: &'b mut Vec<u8>,
) -> Result<(Vec<Range<usize>>, &'b str), UnreadableText> {
    // Memory that grew would be copied each time.
    let longest = texts.clone().map(|(_, text)| text.characters).max();
    let (mut texts, mut spans) = (texts.peekable(), Vec::new());
    let (mut utf8, mut points) = (Utf8Texts::new(buffer), Vec::with_capacity(longest.unwrap_or(0) as usize));
    if texts.peek().is_some() {
        let convert = |py: Python<'_>| -> PyResult<()> {
            while let Some((row, text)) = texts.next() {
                if let Some((_, next)) = texts.peek() {
                    next.fetch();
                }
                spans.push(text.append(py, row, &mut utf8, &mut points)?);
            }
            Ok(())
        };
        Python::try_attach(convert)
            .unwrap_or_else(|| Err(PyRuntimeError::new_err("the interpreter ends")))?;
    }
    Ok((spans, utf8.finish()))
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
