//! The items of a list, which the processor fetches before their turn.
//!
//! Whoever counts a reference to an object waits for its memory, and the texts of a list lie all over it: for 200,000 texts
//! this is 25 ms of a `dedup` of half a second.
#![allow(unsafe_code)]

use pyo3::prelude::*;
use pyo3::types::PyList;

/// How many objects are fetched together, before the turn of the first. Each lies on a page of its own, and the processor looks for several pages
/// at a time.
const AHEAD: usize = 16;

/// The items of `list`.
pub(super) fn items<'l, 'py>(list: &'l Bound<'py, PyList>) -> impl Iterator<Item = Bound<'py, PyAny>> + 'l {
    (0..AHEAD).for_each(|row| fetch(list, row));
    list.iter().enumerate().map(|(row, item)| {
        if row % AHEAD == 0 {
            (row + AHEAD..row + 2 * AHEAD).for_each(|row| fetch(list, row));
        }
        item
    })
}

/// Fetches the start of the object at `row`, if there is one. Without the interpreter's lock nothing is fetched, as another thread may move the
/// items of the list while they are read here.
fn fetch(list: &Bound<'_, PyList>, row: usize) {
    #[cfg(all(target_arch = "x86_64", not(Py_GIL_DISABLED)))]
    if row < list.len() {
        // The bytes that are looked at: those of a text say whether it is ASCII. They may lie on two lines.
        const HEADER: usize = 40;
        // SAFETY: The list has this row, and no other thread changes it, as this one has the interpreter.
        let item = unsafe { pyo3::ffi::PyList_GetItem(list.as_ptr(), row as pyo3::ffi::Py_ssize_t) };
        lookalike_corpus::fetch_ahead(item.cast(), HEADER);
    }
    #[cfg(not(all(target_arch = "x86_64", not(Py_GIL_DISABLED))))]
    let _ = (list, row);
}
