//! The items of a list, which the processor fetches before their turn.
//!
//! Whoever counts a reference to an object waits for its memory, and the texts of a list lie all over it: for 200,000 texts
//! this is 25 ms of a `dedup` of half a second.
#![allow(unsafe_code)]

use pyo3::exceptions::PyIndexError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyList};

/// How many items before its turn an object is fetched.
const AHEAD: usize = 24;

/// The items of `list`.
pub(super) fn items<'l, 'py>(list: &'l Bound<'py, PyList>) -> impl Iterator<Item = Bound<'py, PyAny>> + 'l {
    (0..AHEAD).for_each(|row| fetch(list, row));
    list.iter().enumerate().map(|(row, item)| {
        fetch(list, row + AHEAD);
        item
    })
}

/// The items whose rows have a `mask` other than 0, as a list.
///
/// # Errors
/// `IndexError` if the list has become shorter than the mask.
#[pyfunction]
pub(crate) fn chosen_items<'py>(
    list: &Bound<'py, PyList>,
    mask: &Bound<'py, PyByteArray>,
) -> PyResult<Bound<'py, PyList>> {
    let mask = mask.to_vec();
    if list.len() < mask.len() {
        return Err(PyIndexError::new_err(format!(
            "the list has {} items now, not {}",
            list.len(),
            mask.len()
        )));
    }
    let chosen = items(list).zip(mask).filter_map(|(item, byte)| (byte != 0).then_some(item));
    PyList::new(list.py(), chosen.collect::<Vec<_>>())
}

/// Fetches the start of the object at `row`, if there is one.
fn fetch(list: &Bound<'_, PyList>, row: usize) {
    #[cfg(target_arch = "x86_64")]
    if row < list.len() {
        // SAFETY: The list lives. If it has become shorter in another thread, there is no item, but an error, which is taken. The
        // instruction, which every machine of this kind has (SSE), accepts any address, also of an object that has gone.
        unsafe {
            let item = ffi::PyList_GetItem(list.as_ptr(), row as ffi::Py_ssize_t);
            if item.is_null() {
                drop(PyErr::take(list.py()));
            }
            std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(item.cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (list, row);
}
