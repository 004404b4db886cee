//! The kernel that combines token hashes into shingle hashes.

use crate::hash::{POLYNOMIAL, fmix64};

/// Fills `features` with the hashes of all windows of `shingle` tokens: polynomials over the tokens' hashes, finalised.
///
/// There must be at least one window of at least one token. Returns the two sums of a content hash.
#[inline(always)]
pub(in crate::simd) fn combine(tokens: &[u64], shingle: usize, features: &mut Vec<u64>) -> [u64; 2] {
    combine_by(tokens, shingle, features, double)
}

/// Does the work of [`combine`] with a given `double`.
///
/// A window of `a + b` tokens is `H(a)·Pᵇ + H(b)`. Windows are therefore doubled, and extended by one token according
/// to the binary digits of the shingle. Five tokens take three passes over any text.
#[inline(always)]
pub(in crate::simd) fn combine_by(
    tokens: &[u64],
    shingle: usize,
    features: &mut Vec<u64>,
    double: impl Fn(&mut [u64], usize, u64),
) -> [u64; 2] {
    features.clear();
    features.extend_from_slice(tokens);
    let mut length = 1;
    for digit in (0..shingle.ilog2()).rev() {
        double(features, length, power(length));
        features.truncate(tokens.len() + 1 - 2 * length);
        length *= 2;
        if shingle >> digit & 1 == 1 {
            features.truncate(tokens.len() - length);
            for (window, &token) in features.iter_mut().zip(&tokens[length..]) {
                *window = window.wrapping_mul(POLYNOMIAL).wrapping_add(token);
            }
            length += 1;
        }
    }
    finalise(features)
}

/// `POLYNOMIAL` to the power of `exponent`, modulo 2⁶⁴.
fn power(exponent: usize) -> u64 {
    (0..exponent).fold(1, |power: u64, _| power.wrapping_mul(POLYNOMIAL))
}

/// Doubles the length of windows. `factor` is the power for their length. The last `length` windows, which must not be
/// all, stay unchanged.
#[inline(always)]
pub(in crate::simd) fn double(windows: &mut [u64], length: usize, factor: u64) {
    let mut at = 0;
    // Eight at a time, so the compiler can use vectors: no window is read after it is written.
    while let Some(&further) = windows[at + length..].first_chunk::<8>()
        && let Some(near) = windows[at..].first_chunk_mut::<8>()
    {
        for (window, further) in near.iter_mut().zip(further) {
            *window = window.wrapping_mul(factor).wrapping_add(further);
        }
        at += 8;
    }
    for i in at..windows.len() - length {
        windows[i] = windows[i].wrapping_mul(factor).wrapping_add(windows[i + length]);
    }
}

#[inline(always)]
fn finalise(windows: &mut [u64]) -> [u64; 2] {
    let (mut sum, mut products) = (0_u64, 0_u64);
    for window in windows {
        let feature = fmix64(*window);
        *window = feature;
        sum = sum.wrapping_add(feature);
        products = products.wrapping_add((feature >> 32) * (feature & 0xffff_ffff));
    }
    [sum, products]
}
