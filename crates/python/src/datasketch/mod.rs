//! The classes of programs for the Python library datasketch: the same names, and the same values, bit by bit.
//!
//! This module has sketches and tables of numbers. Keys, which are objects of Python, stay in `python/lookalike`.

mod bands;
mod elements;
mod ensemble;
mod forest;
mod hashing;
mod lsh;
mod lsh_state;
mod minhash;
mod numbers;
mod optimum;
mod pairs;
mod permutations;
mod quadrature;
mod sketch_state;
mod stored;
mod texts;

pub(crate) use ensemble::{ensemble_bands, ensemble_partitions};
pub(crate) use forest::ForestTables;
pub(crate) use hashing::{sha1_hash32, sha1_hash64};
pub(crate) use lsh::LshTables;
pub(crate) use minhash::MinHashCore;
pub(crate) use optimum::{lsh_bands, lsh_bands_of_recall};
pub(crate) use pairs::lsh_pairs;
pub(crate) use texts::{SketchedTexts, minhash_texts, minhash_update_text};

use crate::error;
use lookalike::Level;
use lookalike::sketch::PermutationScheme;
use pyo3::prelude::*;
use std::sync::OnceLock;

/// The fastest instructions of this machine.
pub(crate) fn level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(Level::detect)
}

/// The name of a scheme in datasketch.
pub(crate) fn scheme_name(scheme: PermutationScheme) -> &'static str {
    match scheme {
        PermutationScheme::Affine32 => "affine32",
        PermutationScheme::Affine64 => "affine64",
        PermutationScheme::Legacy => "legacy",
    }
}

/// The scheme of a name.
///
/// # Errors
/// `PlanError`, a `ValueError`, for another name.
pub(crate) fn scheme_named(py: Python<'_>, name: &str) -> PyResult<PermutationScheme> {
    match name {
        "affine32" => Ok(PermutationScheme::Affine32),
        "affine64" => Ok(PermutationScheme::Affine64),
        "legacy" => Ok(PermutationScheme::Legacy),
        _ => {
            let mut message = format!("scheme must be one of affine32, affine64, legacy, and is {name:?}");
            if matches!(name, "bucketed" | "classic") {
                message += ": lookalike.sketch makes signatures of this scheme, from whole texts";
            }
            Err(error::plan(py, "scheme", message))
        }
    }
}
