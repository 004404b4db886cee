//! The classes of programs for the Python library datasketch, over `lookalike-datasketch`: the same names, and the same
//! values, bit by bit.
//!
//! This module takes arguments of Python, and raises its errors. Keys, which are objects of Python, stay in
//! `python/lookalike`.

mod elements;
mod forest;
mod hashing;
mod lsh;
mod minhash;
mod numbers;
mod pairs;
mod sketch_state;
mod texts;

pub(crate) use forest::ForestTables;
pub(crate) use hashing::{sha1_hash32, sha1_hash64};
pub(crate) use lsh::LshTables;
pub(crate) use minhash::MinHashCore;
pub(crate) use numbers::{ensemble_bands, ensemble_partitions, lsh_bands, lsh_bands_of_recall};
pub(crate) use pairs::lsh_pairs;
pub(crate) use texts::{SketchedTexts, minhash_texts, minhash_update_text};

use crate::error;
use lookalike::sketch::PermutationScheme;
use lookalike_datasketch::{Error, scheme_named as known_scheme};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The exception of an error: `Incompatible` for what was made in different ways. All are a `ValueError`.
fn raised(py: Python<'_>, error: &Error) -> PyErr {
    let message = error.to_string();
    if error.is_incompatible() { error::incompatible(py, message) } else { PyValueError::new_err(message) }
}

/// The scheme of a name.
///
/// # Errors
/// `PlanError`, a `ValueError`, for another name.
fn scheme_named(py: Python<'_>, name: &str) -> PyResult<PermutationScheme> {
    let wrong = || {
        let mut message = format!("scheme must be one of affine32, affine64, legacy, and is {name:?}");
        if matches!(name, "bucketed" | "classic") {
            message += ": lookalike.sketch makes signatures of this scheme, from whole texts";
        }
        error::plan(py, "scheme", message)
    };
    known_scheme(name).ok_or_else(wrong)
}
