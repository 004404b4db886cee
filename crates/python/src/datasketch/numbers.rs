//! Numbers of a sketch: its seed, its values, and sums as numpy adds them.

use super::scheme_name;
use lookalike::sketch::{Minima, PermutationScheme};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The seed, if numpy takes it.
pub(super) fn checked_seed(seed: i64) -> PyResult<u32> {
    u32::try_from(seed).map_err(|_| PyValueError::new_err("seed must be between 0 and 2**32 - 1"))
}

/// Values of a scheme.
pub(super) fn minima_of(scheme: PermutationScheme, values: &[u64]) -> PyResult<Minima> {
    if scheme == PermutationScheme::Affine64 {
        return Ok(Minima::Wide(values.into()));
    }
    let narrow: Option<Box<[u32]>> = values.iter().map(|&value| u32::try_from(value).ok()).collect();
    let wrong =
        || PyValueError::new_err(format!("hash values out of range for scheme {:?}", scheme_name(scheme)));
    narrow.map(Minima::Narrow).ok_or_else(wrong)
}

/// The sum in the order in which numpy adds, so that it is equal in all bits: eight sums over at most 128 numbers, and
/// halves above that.
pub(super) fn pairwise_sum(numbers: &[f64]) -> f64 {
    let count = numbers.len();
    if count < 8 {
        return numbers.iter().fold(-0.0, |sum, number| sum + number);
    }
    if count <= 128 {
        let (groups, rest) = numbers.as_chunks::<8>();
        let mut sums = groups[0];
        for group in &groups[1..] {
            sums.iter_mut().zip(group).for_each(|(sum, number)| *sum += number);
        }
        let [a, b, c, d, e, f, g, h] = sums;
        let sum = ((a + b) + (c + d)) + ((e + f) + (g + h));
        return rest.iter().fold(sum, |sum, number| sum + number);
    }
    let half = count / 2 - count / 2 % 8;
    pairwise_sum(&numbers[..half]) + pairwise_sum(&numbers[half..])
}
