//! Hashes of elements: SHA-1 in Rust, or a function of Python.

use lookalike::sketch::PermutationScheme;
use lookalike_datasketch::{element_hash, scheme_name};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};

/// What hashes the elements of a sketch.
#[derive(Debug)]
pub(super) enum HashFunction {
    /// The first bytes of SHA-1, as many as the scheme has.
    Sha1,
    Python(Py<PyAny>),
}

impl HashFunction {
    pub(super) fn clone_ref(&self, py: Python<'_>) -> Self {
        match self {
            HashFunction::Sha1 => HashFunction::Sha1,
            HashFunction::Python(function) => HashFunction::Python(function.clone_ref(py)),
        }
    }

    /// The hash of one element.
    pub(super) fn hash(&self, scheme: PermutationScheme, element: &Bound<'_, PyAny>) -> PyResult<u64> {
        match self {
            HashFunction::Sha1 => match element.cast::<PyBytes>() {
                Ok(bytes) => Ok(element_hash(scheme, bytes.as_bytes())),
                Err(_) => sha1_of_buffer(scheme, element),
            },
            HashFunction::Python(function) => {
                in_range(scheme, &function.bind(element.py()).call1((element,))?)
            }
        }
    }
}

/// The same of any object with a buffer, by Python.
fn sha1_of_buffer(scheme: PermutationScheme, element: &Bound<'_, PyAny>) -> PyResult<u64> {
    let digest = element.py().import("hashlib")?.call_method1("sha1", (element,))?.call_method0("digest")?;
    let digest = digest.cast::<PyBytes>()?.as_bytes();
    let mut first = [0; 8];
    first.copy_from_slice(digest.get(..8).unwrap_or(&[0; 8]));
    let hash = u64::from_le_bytes(first);
    Ok(if scheme == PermutationScheme::Affine64 { hash } else { hash & u64::from(u32::MAX) })
}

/// A hash of a function of Python. That of `affine32` must have 32 bits.
fn in_range(scheme: PermutationScheme, hash: &Bound<'_, PyAny>) -> PyResult<u64> {
    let py = hash.py();
    let wrong = |shown: String| {
        let name = scheme_name(scheme);
        let advice = "use a function of 32 bits, or scheme=\"affine64\" for 64 bits";
        PyValueError::new_err(format!(
            "hashfunc returned {shown}, which is out of range for scheme {name:?}; {advice}"
        ))
    };
    let number: u64 = match hash.extract() {
        Ok(number) => number,
        Err(error) if error.is_instance_of::<PyOverflowError>(py) || hash.is_instance_of::<PyInt>() => {
            return Err(wrong(hash.str()?.to_string()));
        }
        Err(error) => return Err(error),
    };
    if scheme == PermutationScheme::Affine32 && number > u64::from(u32::MAX) {
        return Err(wrong(number.to_string()));
    }
    Ok(number)
}

/// The first 4 bytes of the SHA-1 of bytes, as a little-endian number.
#[pyfunction]
pub(crate) fn sha1_hash32(data: &Bound<'_, PyAny>) -> PyResult<u64> {
    HashFunction::Sha1.hash(PermutationScheme::Affine32, data)
}

/// The first 8 bytes.
#[pyfunction]
pub(crate) fn sha1_hash64(data: &Bound<'_, PyAny>) -> PyResult<u64> {
    HashFunction::Sha1.hash(PermutationScheme::Affine64, data)
}
