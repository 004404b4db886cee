//! The program `lookalike`, as a command of the package.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs a command line and returns the exit code. The first word is the name of the program.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| lookalike_cli::run(words))
}

/// The bytes of a size such as `2GiB`.
#[pyfunction]
pub(crate) fn memory_size(size: &str) -> PyResult<u64> {
    lookalike_batch::memory_size(size)
        .map_err(|message| PyValueError::new_err(format!("memory is {size:?}: {message}")))
}
