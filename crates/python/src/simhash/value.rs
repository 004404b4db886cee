//! Values as the Python library simhash computes them, bit by bit.
//!
//! A feature's hash is the end of its MD5. Bit `i` of the value is set if the weight of the features with that bit is above
//! half of the weight of all. Sums of weights that are no integers depend on the order of additions, so this adds in the order
//! of simhash 2.1.2: small integer weights are summed apart, for 200 features at a time.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBytes, PyInt, PyString};
use std::collections::HashMap;

/// Characters of a window.
const WINDOW: usize = 4;

/// The greatest integer weight that is summed apart.
const SMALL_WEIGHT: f64 = 50.0;

/// Features that are summed apart.
const BATCH: usize = 200;

/// The sums so far, bit by bit. The lowest bit is first.
struct WeightSums {
    bits: usize,
    total: f64,
    sums: [f64; 128],
    batch: [i64; 128],
    batched: usize,
}

impl WeightSums {
    fn new(bits: usize) -> Self {
        WeightSums { bits, total: 0.0, sums: [0.0; 128], batch: [0; 128], batched: 0 }
    }

    fn add(&mut self, hash: u128, weight: f64, is_integer: bool) {
        self.total += weight;
        if is_integer && weight <= SMALL_WEIGHT {
            // A negative weight repeats a hash no times, but counts in the total.
            let weight = weight.max(0.0) as i64;
            for (bit, sum) in self.batch[..self.bits].iter_mut().enumerate() {
                *sum += weight * (hash >> bit & 1) as i64;
            }
            self.batched += 1;
            if self.batched == BATCH {
                self.flush();
            }
            return;
        }
        for (bit, sum) in self.sums[..self.bits].iter_mut().enumerate() {
            *sum += weight * (hash >> bit & 1) as f64;
        }
    }

    fn flush(&mut self) {
        for (sum, batch) in self.sums.iter_mut().zip(&mut self.batch) {
            *sum += std::mem::take(batch) as f64;
        }
        self.batched = 0;
    }

    fn value(mut self) -> u128 {
        self.flush();
        let half = self.total / 2.0;
        let set = self.sums[..self.bits].iter().enumerate().filter(|(_, sum)| **sum > half);
        set.fold(0, |value, (bit, _)| value | 1 << bit)
    }
}

/// The value of a text of which only letters are left: its windows of 4 characters, weighted by how often they occur.
#[pyfunction]
pub(crate) fn simhash_text(py: Python<'_>, content: &str, bits: usize) -> PyResult<u128> {
    check(bits)?;
    Ok(py.detach(|| {
        let mut ends: Vec<usize> = content.char_indices().map(|(at, _)| at).collect();
        ends.push(content.len());
        let windows = (ends.len() - 1).saturating_sub(WINDOW - 1).max(1);
        let mut counts: HashMap<&str, u64> = HashMap::new();
        for window in 0..windows {
            let end = ends[(window + WINDOW).min(ends.len() - 1)];
            *counts.entry(&content[ends[window]..end]).or_default() += 1;
        }
        let mut sums = WeightSums::new(bits);
        // Sums of integers do not depend on the order.
        #[expect(clippy::iter_over_hash_type, reason = "the sums are the same in any order")]
        for (window, count) in counts {
            sums.add(end_of(&md5::compute(window).0, bits), count as f64, true);
        }
        sums.value()
    }))
}

/// The value of features: texts, or pairs of a text and a weight.
#[pyfunction]
pub(crate) fn simhash_features(
    features: &Bound<'_, PyAny>,
    bits: usize,
    hashfunc: Option<&Bound<'_, PyAny>>,
    legacy_weights: bool,
) -> PyResult<u128> {
    check(bits)?;
    let mut sums = WeightSums::new(bits);
    let mut carried = (1.0, true);
    for (place, feature) in features.try_iter()?.enumerate() {
        let feature = feature?;
        let (text, weight) = match feature.cast::<PyString>() {
            Ok(text) => {
                (PyBackedStr::try_from(text.clone())?, if legacy_weights { carried } else { (1.0, true) })
            }
            Err(_) => {
                let (text, weight): (PyBackedStr, Bound<'_, PyAny>) = feature.extract().map_err(|_| {
                    PyTypeError::new_err(format!("feature {place} must be a str, or a str and a weight"))
                })?;
                (text, (weight.extract()?, weight.is_instance_of::<PyInt>()))
            }
        };
        carried = weight;
        let hash = match hashfunc {
            None => end_of(&md5::compute(text.as_bytes()).0, bits),
            Some(function) => {
                hash_of(&function.call1((PyBytes::new(feature.py(), text.as_bytes()),))?, bits)?
            }
        };
        sums.add(hash, weight.0, weight.1);
        if place % 4096 == 4095 {
            feature.py().check_signals()?;
        }
    }
    Ok(sums.value())
}

/// The hash of a function of Python: an integer, or at least `bits / 8` bytes.
fn hash_of(hash: &Bound<'_, PyAny>, bits: usize) -> PyResult<u128> {
    if let Ok(bytes) = hash.cast::<PyBytes>() {
        if bytes.as_bytes().len() * 8 < bits {
            return Err(PyValueError::new_err(format!("hashfunc must return at least {} bytes", bits / 8)));
        }
        return Ok(end_of(bytes.as_bytes(), bits));
    }
    hash.call_method1("__and__", (mask(bits),))?.extract()
}

/// The last bits of bytes, of which the first one is the highest.
fn end_of(bytes: &[u8], bits: usize) -> u128 {
    bytes[bytes.len() - bits / 8..].iter().fold(0, |number, &byte| number << 8 | u128::from(byte))
}

fn mask(bits: usize) -> u128 {
    u128::MAX >> (128 - bits)
}

fn check(bits: usize) -> PyResult<()> {
    match bits {
        8..=128 if bits.is_multiple_of(8) => Ok(()),
        _ => Err(PyValueError::new_err(format!("f must be a multiple of 8 from 8 to 128, and is {bits}"))),
    }
}
