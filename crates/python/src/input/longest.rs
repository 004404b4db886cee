//! The limit of the length of a text.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The longest text in bytes, which is the limit of the readers.
pub(super) const LONGEST: usize = lookalike_corpus::DEFAULT_RECORD_BYTES as usize;

/// Whether a row has more bytes than readers read.
pub(super) fn is_too_long(&(_, bytes): &(usize, usize)) -> bool {
    bytes > LONGEST
}

/// Refuses the row of a text that is too long, and its bytes.
pub(super) fn refuse_long_text(text: Option<(usize, usize)>) -> PyResult<()> {
    match text {
        Some((row, bytes)) => Err(PyValueError::new_err(format!(
            "row {row}: the text has {bytes} bytes, more than the limit of {LONGEST}"
        ))),
        None => Ok(()),
    }
}
