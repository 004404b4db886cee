//! The kernel that combines token hashes into shingle hashes.
//!
//! The reasons for `unsafe` are in [`super`].

use crate::hash::{FMIX64, POLYNOMIAL};
use crate::simd::portable;
use std::arch::x86_64::*;

/// The longest shingle that is computed in one pass. For longer ones, one multiplication per token takes longer than
/// the passes that doubling saves. This holds all the more on Intel, where a multiplication takes three times as long
/// as on AMD.
const LONGEST: usize = 8;

/// Like [`portable::combine`], with eight windows at a time, token by token (Horner), and finalised before they are
/// written. There must be at least one window of at least one token.
#[target_feature(enable = "avx512f,avx512dq")]
pub(in crate::simd) unsafe fn combine(tokens: &[u64], shingle: usize, features: &mut Vec<u64>) -> [u64; 2] {
    if shingle > LONGEST {
        return portable::combine_by(tokens, shingle, features, |windows, length, factor| {
            double(windows, length, factor)
        });
    }
    let count = tokens.len() + 1 - shingle;
    features.clear();
    features.reserve(count + 8);
    let (mut sum, mut products) = (_mm512_setzero_si512(), _mm512_setzero_si512());
    let mut put = |at: usize, window: __m512i| {
        let feature = finalise(window);
        sum = _mm512_add_epi64(sum, feature);
        products = _mm512_add_epi64(products, _mm512_mul_epu32(_mm512_srli_epi64::<32>(feature), feature));
        // SAFETY: `at` is below `count`, and there is room for one more vector.
        unsafe { _mm512_storeu_si512(features.as_mut_ptr().add(at).cast(), feature) };
    };
    let whole = count & !7;
    for at in (0..whole).step_by(8) {
        // SAFETY: the last of the eight windows ends at `at + 7 + shingle`. There are `count - 1 + shingle`
        // tokens, which is at least as many.
        let load = |token: usize| unsafe { _mm512_loadu_si512(tokens.as_ptr().add(at + token).cast()) };
        put(at, polynomial(shingle, load));
    }
    if whole < count {
        let lanes = 0xff >> (8 - (count - whole));
        // SAFETY: masked loads read only tokens of existing windows.
        let load = |token: usize| unsafe {
            _mm512_maskz_loadu_epi64(lanes, tokens.as_ptr().add(whole + token).cast())
        };
        // The other lanes are 0, also after finalising, and add nothing.
        put(whole, polynomial(shingle, load));
    }
    // SAFETY: all of them were written.
    unsafe { features.set_len(count) };
    [sum, products].map(|sums| _mm512_reduce_add_epi64(sums) as u64)
}

/// The polynomials of eight windows of `shingle` tokens. `load(i)` returns token `i` of all windows.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn polynomial(shingle: usize, load: impl Fn(usize) -> __m512i) -> __m512i {
    let factor = _mm512_set1_epi64(POLYNOMIAL as i64);
    (1..shingle)
        .fold(load(0), |window, token| _mm512_add_epi64(_mm512_mullo_epi64(window, factor), load(token)))
}

/// Like [`portable::double`].
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn double(windows: &mut [u64], length: usize, factor: u64) {
    let factor_vector = _mm512_set1_epi64(factor as i64);
    let whole = (windows.len() - length) & !7;
    for at in (0..whole).step_by(8) {
        // SAFETY: `at + 8 + length` is at most the number of windows. Later windows are loaded before earlier ones are
        // stored, as in the portable loop.
        unsafe {
            let near = windows.as_mut_ptr().add(at);
            let further = _mm512_loadu_si512(near.add(length).cast());
            let window = _mm512_mullo_epi64(_mm512_loadu_si512(near.cast()), factor_vector);
            _mm512_storeu_si512(near.cast(), _mm512_add_epi64(window, further));
        }
    }
    portable::double(&mut windows[whole..], length, factor);
}

/// Like [`crate::hash::fmix64`].
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn finalise(hash: __m512i) -> __m512i {
    let [first, second] = FMIX64.map(|factor| _mm512_set1_epi64(factor as i64));
    let shifted = |hash| _mm512_xor_si512(hash, _mm512_srli_epi64::<33>(hash));
    let hash = _mm512_mullo_epi64(shifted(hash), first);
    let hash = _mm512_mullo_epi64(shifted(hash), second);
    shifted(hash)
}
