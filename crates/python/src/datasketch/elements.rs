//! Many elements of a set at once.

use super::hashing::HashFunction;
use lookalike::sketch::Permutations;
use lookalike_datasketch::{PermutedSketch, element_hash};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

/// Elements that are hashed at once. Between blocks, the call looks for Ctrl-C.
const BLOCK: usize = 4096;

/// Elements for which other threads get the lock of the interpreter. To release it takes as long as two hashes.
const RELEASED_FROM: usize = 32;

/// The sketch of the elements of an iterable and of `sketch`.
///
/// # Errors
/// The error of an element that cannot be hashed, or `KeyboardInterrupt`.
pub(super) fn sketch_of_elements(
    b: &Bound<'_, PyAny>,
    hash: &HashFunction,
    permutations: &Permutations,
    mut sketch: PermutedSketch,
) -> PyResult<PermutedSketch> {
    let (py, scheme) = (b.py(), sketch.scheme);
    let (mut elements, mut hashes) = (Vec::new(), Vec::new());
    let mut lower = |elements: &mut Vec<PyBackedBytes>, hashes: &mut Vec<u64>| {
        let mut work = || {
            hashes.extend(elements.iter().map(|element| element_hash(scheme, element)));
            sketch.add(permutations, hashes);
        };
        if elements.len() < RELEASED_FROM {
            work()
        } else {
            py.detach(&mut work)
        }
        elements.clear();
        hashes.clear();
        py.check_signals()
    };
    for element in b.try_iter()? {
        let element = element?;
        match (hash, element.cast::<PyBytes>()) {
            (HashFunction::Sha1, Ok(bytes)) => elements.push(PyBackedBytes::from(bytes.clone())),
            _ => hashes.push(hash.hash(scheme, &element)?),
        }
        if elements.len() + hashes.len() == BLOCK {
            lower(&mut elements, &mut hashes)?;
        }
    }
    lower(&mut elements, &mut hashes)?;
    Ok(sketch)
}
