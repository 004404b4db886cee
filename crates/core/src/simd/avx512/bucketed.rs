//! The bucketed MinHash kernel: features in, signature out.
//!
//! The reasons for `unsafe` are in [`super`].

use super::{Avx512Vector, lower_minima};
use crate::simd::parameters::{Parameters, ROUNDS};
use crate::simd::portable::{self, AsciiBlock, BucketBuffers};
use std::{arch::x86_64::*, array};

/// The longest signature that the vector rounds take. A vector holds 512 bits, one for each position.
const MAX_SIZE: usize = 512;

/// The usual size of a signature. Two vectors hold a byte for each position, so 64 features can test their positions at
/// once.
const USUAL_SIZE: usize = 128;

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(in crate::simd) unsafe fn bucketed(
    features: &[u64],
    parameters: &Parameters,
    buffers: &mut BucketBuffers,
    signature: &mut [u32],
) {
    if signature.len() > MAX_SIZE {
        return portable::bucketed(features, parameters, buffers, signature);
    }
    portable::first_round(features, signature);
    let is_full = match <&mut [u32; USUAL_SIZE]>::try_from(&mut *signature) {
        Ok(usual) => usual_later_rounds(features, parameters, buffers, usual),
        Err(_) => later_rounds(features, parameters, buffers, signature),
    };
    if is_full {
        return;
    }
    portable::fill_empty(features, parameters, buffers, signature, |features, factors, terms, minima| {
        // SAFETY: the same features are enabled here.
        unsafe { lower_minima(features, factors, terms, minima) }
    });
}

/// The rounds after the first, while there are empty positions. Returns whether all positions are filled.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn later_rounds(
    features: &[u64],
    parameters: &Parameters,
    buffers: &mut BucketBuffers,
    signature: &mut [u32],
) -> bool {
    for round in 1..ROUNDS {
        let Some(empty) = empty(signature) else { return true };
        later_round(features, parameters, round, &empty, buffers, signature);
    }
    empty(signature).is_none()
}

/// A bit for each position: set if it is empty. `None` if no position is empty.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn empty(signature: &[u32]) -> Option<[u64; MAX_SIZE / 64]> {
    let mut empty = [0; MAX_SIZE / 64];
    let mut any = 0;
    for (index, values) in signature.chunks(16).enumerate() {
        let lanes = (0xffff_u32 >> (16 - values.len())) as u16;
        // SAFETY: masked loads read only existing values.
        let values = unsafe { _mm512_maskz_loadu_epi32(lanes, values.as_ptr().cast()) };
        let mask = u64::from(_mm512_mask_cmpeq_epi32_mask(lanes, values, _mm512_set1_epi32(-1)));
        empty[index / 4] |= mask << (16 * (index % 4));
        any |= mask;
    }
    (any != 0).then_some(empty)
}

/// One later round, sixteen features at a time. Features that fall into an empty position are packed, without a branch,
/// and applied at the end of the round.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn later_round(
    features: &[u64],
    parameters: &Parameters,
    round: usize,
    empty: &[u64; MAX_SIZE / 64],
    buffers: &mut BucketBuffers,
    signature: &mut [u32],
) {
    let hits = &mut buffers.hits;
    if hits.len() < features.len() + 16 {
        hits.resize(features.len() + 16, 0);
    }
    let size = signature.len();
    let functions = parameters.rounds[round - 1];
    let splat = |x: u32| _mm512_set1_epi32(x as i32);
    let sizes = _mm512_set1_epi64(size as i64);
    // For a power of two, the multiplication by the size is a shift.
    let shift = size.is_power_of_two().then(|| _mm_cvtsi32_si128(32 - size.ilog2() as i32));
    let odd = _mm512_set_epi32(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);
    let iota = _mm512_srli_epi32::<1>(odd);
    // SAFETY: the array holds a vector.
    let empty = unsafe { _mm512_loadu_si512(empty.as_ptr().cast()) };
    let mut count = 0;
    for at in (0..features.len()).step_by(16) {
        let lanes = (0xffff_u32 >> (16 - (features.len() - at).min(16))) as u16;
        // SAFETY: masked loads read only the lanes in `lanes`, which lie inside `features`.
        let (first, second) = unsafe {
            let from: *const i64 = features.as_ptr().add(at).cast();
            let second = _mm512_maskz_loadu_epi64((lanes >> 8) as u8, from.wrapping_add(8));
            (_mm512_maskz_loadu_epi64(lanes as u8, from), second)
        };
        let high = _mm512_permutex2var_epi32(first, odd, second);
        let [factor, term] = functions.bin.map(splat);
        let hash = _mm512_add_epi32(_mm512_mullo_epi32(high, factor), term);
        let bins = match shift {
            Some(shift) => _mm512_srl_epi32(hash, shift),
            None => _mm512_mask_blend_epi32(
                0xaaaa,
                _mm512_srli_epi64::<32>(_mm512_mul_epu32(hash, sizes)),
                _mm512_mul_epu32(_mm512_srli_epi64::<32>(hash), sizes),
            ),
        };
        let words = _mm512_permutexvar_epi32(_mm512_srli_epi32::<5>(bins), empty);
        let bits = _mm512_srlv_epi32(words, _mm512_and_si512(bins, splat(31)));
        let hit = _mm512_test_epi32_mask(bits, splat(1)) & lanes;
        let places = _mm512_maskz_compress_epi32(hit, _mm512_add_epi32(iota, splat(at as u32)));
        // SAFETY: there were at most `at` hits so far, and the buffer is 16 longer than `features`.
        unsafe { _mm512_storeu_si512(hits.as_mut_ptr().add(count).cast(), places) };
        count += hit.count_ones() as usize;
    }
    portable::later_round(
        hits[..count].iter().map(|&hit| features[hit as usize]),
        parameters,
        round,
        signature,
    );
}

/// Like [`later_rounds`], 64 features at a time.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn usual_later_rounds(
    features: &[u64],
    parameters: &Parameters,
    buffers: &mut BucketBuffers,
    signature: &mut [u32; USUAL_SIZE],
) -> bool {
    let hits = &mut buffers.hits;
    let (blocks, rest) = features.as_chunks::<64>();
    for round in 1..ROUNDS {
        let Some(empty) = usual_empty(signature) else { return true };
        let bin = parameters.rounds[round - 1].bin;
        hits.clear();
        for (index, block) in blocks.iter().enumerate() {
            // SAFETY: the block is eight vectors long.
            let vectors = array::from_fn(|i| unsafe { _mm512_loadu_si512(block.as_ptr().add(8 * i).cast()) });
            Avx512Vector::push_positions(in_empty(vectors, bin, empty), 64 * index as u32, hits);
        }
        if !rest.is_empty() {
            let lanes = u64::MAX >> (64 - rest.len());
            let vectors = array::from_fn(|i| {
                let from = rest.as_ptr().wrapping_add(8 * i).cast();
                // SAFETY: masked loads read only existing values.
                unsafe { _mm512_maskz_loadu_epi64((lanes >> (8 * i)) as u8, from) }
            });
            Avx512Vector::push_positions(
                in_empty(vectors, bin, empty) & lanes,
                64 * blocks.len() as u32,
                hits,
            );
        }
        portable::later_round(hits.iter().map(|&hit| features[hit as usize]), parameters, round, signature);
    }
    usual_empty(signature).is_none()
}

// The round number is in the top three bits of a value. No round may set the first of them.
const _: () = assert!(ROUNDS <= 4);

/// A byte for each position, with the top bit set if it is empty. `None` if no position is empty.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn usual_empty(signature: &[u32; USUAL_SIZE]) -> Option<[__m512i; 2]> {
    // SAFETY: the signature is eight vectors long.
    let load = |i: usize| unsafe { _mm512_loadu_si512(signature.as_ptr().add(16 * i).cast()) };
    let empty = [0, 4].map(|first| highest_bytes(array::from_fn(|i| load(first + i))));
    let any = _mm512_movepi8_mask(_mm512_or_si512(empty[0], empty[1]));
    (any != 0).then_some(empty)
}

/// A bit for each of 64 features: set if it falls into an empty position.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn in_empty(features: [__m512i; 8], bin: [u32; 2], empty: [__m512i; 2]) -> u64 {
    let [factor, term] = bin.map(|x| _mm512_set1_epi32(x as i32));
    let odd = _mm512_set_epi32(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);
    let hashes = array::from_fn(|pair| {
        let high = _mm512_permutex2var_epi32(features[2 * pair], odd, features[2 * pair + 1]);
        _mm512_add_epi32(_mm512_mullo_epi32(high, factor), term)
    });
    // The position is the top seven bits of the hash. The look-up ignores the eighth bit of a byte.
    let positions = _mm512_srli_epi16::<1>(highest_bytes(hashes));
    _mm512_movepi8_mask(_mm512_permutex2var_epi8(empty[0], positions, empty[1]))
}

/// The highest bytes of 64 numbers.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn highest_bytes(numbers: [__m512i; 4]) -> __m512i {
    // The top bytes of two vectors, in the lower half and again in the upper half.
    let every_fourth = |vector: i64| 0x1f1b_1713_0f0b_0703 + vector * 0x2020_2020_2020_2020;
    let [a, b, c, d] = [0, 1, 2, 3].map(every_fourth);
    let places = _mm512_set_epi64(d, c, b, a, d, c, b, a);
    let of = |a, b| _mm512_permutex2var_epi8(a, places, b);
    _mm512_mask_blend_epi8(0xffff_ffff << 32, of(numbers[0], numbers[1]), of(numbers[2], numbers[3]))
}
