//! The kernels for AVX2.
//!
//! AVX2 has no 64-bit multiplication and only slow gathers. Tokens and shingles therefore run the portable code,
//! compiled for these instructions. The reasons for `unsafe` are the same as in `avx512`.
#![allow(unsafe_code)]

pub(super) use super::votes::avx2::{second_half, votes, weighted_votes};

use super::portable::{
    self, AsciiBlock, BucketBuffers, Bytes, NormalisedWords, Whitespace, WordsRule, split,
};
use crate::simd::Spans;
use crate::simd::feature_table::{BucketSearch, FeatureBucket, FeatureTable};
use crate::simd::parameters::{Parameters, ROUNDS};
use std::arch::x86_64::*;

struct Avx2Vector;

impl AsciiBlock for Avx2Vector {
    #[inline(always)]
    fn words(from: &[u8; 64], to: &mut [u8; 64]) -> (u64, u64) {
        let (mut high, mut mask) = (0, 0);
        for half in 0..2 {
            // SAFETY: inlined into functions that enable AVX2. Each half of the arrays holds a vector.
            let (half_high, half_mask) = unsafe {
                let block = _mm256_loadu_si256(from.as_ptr().add(32 * half).cast());
                let within = |first: u8, last: u8, x| {
                    let distance = _mm256_sub_epi8(x, _mm256_set1_epi8(first as i8));
                    _mm256_cmpeq_epi8(
                        _mm256_min_epu8(distance, _mm256_set1_epi8((last - first) as i8)),
                        distance,
                    )
                };
                let upper = within(b'A', b'Z', block);
                let case = _mm256_and_si256(upper, _mm256_set1_epi8(0x20));
                let lower = _mm256_add_epi8(block, case);
                _mm256_storeu_si256(to.as_mut_ptr().add(32 * half).cast(), lower);
                let word = _mm256_or_si256(
                    _mm256_or_si256(within(b'a', b'z', lower), within(b'0', b'9', block)),
                    _mm256_cmpeq_epi8(block, _mm256_set1_epi8(b'_' as i8)),
                );
                (_mm256_movemask_epi8(block) as u32, _mm256_movemask_epi8(word) as u32)
            };
            high |= u64::from(half_high) << (32 * half);
            mask |= u64::from(half_mask) << (32 * half);
        }
        (high, mask)
    }

    #[inline(always)]
    fn whitespace(from: &[u8; 64], to: &mut [u8; 64]) -> (u64, u64) {
        *to = *from;
        let (mut high, mut space) = (0, 0);
        for half in 0..2 {
            // SAFETY: as in `words`.
            let (half_high, half_space) = unsafe {
                let block = _mm256_loadu_si256(from.as_ptr().add(32 * half).cast());
                let distance = _mm256_sub_epi8(block, _mm256_set1_epi8(b'\t' as i8));
                let control = _mm256_cmpeq_epi8(_mm256_min_epu8(distance, _mm256_set1_epi8(4)), distance);
                let blank = _mm256_cmpeq_epi8(block, _mm256_set1_epi8(b' ' as i8));
                let space = _mm256_or_si256(control, blank);
                (_mm256_movemask_epi8(block) as u32, _mm256_movemask_epi8(space) as u32)
            };
            high |= u64::from(half_high) << (32 * half);
            space |= u64::from(half_space) << (32 * half);
        }
        (high, !space & !high)
    }

    #[inline(always)]
    fn push_positions(mask: u64, base: u32, positions: &mut Vec<u32>) {
        Bytes::push_positions(mask, base, positions);
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) unsafe fn split_words(text: &str, spans: &mut Spans) -> bool {
    split::<Avx2Vector, _>(text, WordsRule::new(), spans)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) unsafe fn split_normalised_words(text: &str, spans: &mut Spans) {
    split::<Avx2Vector, _>(text, NormalisedWords::new(), spans);
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) unsafe fn split_whitespace(text: &str, spans: &mut Spans) {
    split::<Avx2Vector, _>(text, Whitespace, spans);
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) unsafe fn hash_tokens(spans: &Spans, seed: u64, hashes: &mut Vec<u64>) {
    portable::hash_tokens(spans, seed, hashes);
}

impl BucketSearch for Avx2Vector {
    #[inline(always)]
    fn slots(bucket: &FeatureBucket, feature: u64) -> u8 {
        // SAFETY: inlined into functions that enable AVX2. The bucket holds two vectors.
        unsafe {
            let from: *const __m256i = bucket.0.as_ptr().cast();
            let wanted = _mm256_set1_epi64x(feature as i64);
            let half = |at| _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_loadu_si256(from.add(at)), wanted));
            (_mm256_movemask_pd(half(0)) | _mm256_movemask_pd(half(1)) << 4) as u8
        }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) unsafe fn distinct(table: &mut FeatureTable, features: &mut [u64]) -> usize {
    table.distinct::<Avx2Vector>(features)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) unsafe fn count_common(table: &FeatureTable, features: &[u64]) -> usize {
    table.count_common::<Avx2Vector>(features)
}

#[target_feature(enable = "avx2")]
pub(super) unsafe fn combine(tokens: &[u64], shingle: usize, features: &mut Vec<u64>) -> [u64; 2] {
    portable::combine(tokens, shingle, features)
}

/// The longest signature that the vector rounds take. A vector holds 256 bits, one for each position.
const MAX_SIZE: usize = 256;

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) unsafe fn bucketed(
    features: &[u64],
    parameters: &Parameters,
    buffers: &mut BucketBuffers,
    signature: &mut [u32],
) {
    if signature.len() > MAX_SIZE {
        return portable::bucketed(features, parameters, buffers, signature);
    }
    portable::first_round(features, signature);
    for round in 1..ROUNDS {
        let Some(empty) = empty(signature) else { return };
        later_round(features, parameters, round, &empty, buffers, signature);
    }
    portable::fill_empty(features, parameters, buffers, signature, |features, factors, terms, minima| {
        // SAFETY: the same features are enabled here.
        unsafe { lower_minima(features, factors, terms, minima) }
    });
}

/// A bit for each position: set if it is empty. `None` if no position is empty.
#[inline]
#[target_feature(enable = "avx2")]
fn empty(signature: &[u32]) -> Option<[u32; MAX_SIZE / 32]> {
    let mut empty = [0; MAX_SIZE / 32];
    let chunks = signature.chunks_exact(8);
    let rest = chunks.remainder();
    let tail = signature.len() - rest.len();
    for (index, values) in chunks.enumerate() {
        // SAFETY: the chunk holds a vector.
        let values = unsafe { _mm256_loadu_si256(values.as_ptr().cast()) };
        let equal = _mm256_cmpeq_epi32(values, _mm256_set1_epi32(-1));
        let mask = _mm256_movemask_ps(_mm256_castsi256_ps(equal)) as u32;
        empty[index / 4] |= mask << (8 * (index % 4));
    }
    for (position, &value) in (tail..).zip(rest) {
        empty[position / 32] |= u32::from(value == u32::MAX) << (position % 32);
    }
    (empty != [0; MAX_SIZE / 32]).then_some(empty)
}

/// For every mask of eight lanes, the numbers of its lanes, packed into bytes.
static PACKED: [u64; 256] = {
    let mut table = [0; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut lane, mut count) = (0, 0);
        while lane < 8 {
            if mask >> lane & 1 == 1 {
                table[mask] |= lane << (8 * count);
                count += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};

/// One later round, eight features at a time. Features that fall into an empty position are packed, without a branch,
/// and applied at the end of the round.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn later_round(
    features: &[u64],
    parameters: &Parameters,
    round: usize,
    empty: &[u32; MAX_SIZE / 32],
    buffers: &mut BucketBuffers,
    signature: &mut [u32],
) {
    let hits = &mut buffers.hits;
    if hits.len() < features.len() + 8 {
        hits.resize(features.len() + 8, 0);
    }
    let size = signature.len();
    let functions = parameters.rounds[round - 1];
    let splat = |x: u32| _mm256_set1_epi32(x as i32);
    let sizes = _mm256_set1_epi64x(size as i64);
    // For a power of two, the multiplication by the size is a shift.
    let shift = size.is_power_of_two().then(|| _mm_cvtsi32_si128(32 - size.ilog2() as i32));
    // SAFETY: the array holds a vector.
    let empty = unsafe { _mm256_loadu_si256(empty.as_ptr().cast()) };
    let (blocks, rest) = features.as_chunks::<8>();
    let mut count = 0;
    for (block, at) in blocks.iter().zip((0_u32..).step_by(8)) {
        // SAFETY: the block holds two vectors.
        let (first, second) = unsafe {
            let from: *const f32 = block.as_ptr().cast();
            (_mm256_loadu_ps(from), _mm256_loadu_ps(from.add(8)))
        };
        // Each half of the vectors gives two places of the first, then two of the second.
        let order = _mm256_set_epi32(7, 6, 3, 2, 5, 4, 1, 0);
        let high = _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(first, second));
        let [factor, term] = functions.bin.map(splat);
        let hash = _mm256_add_epi32(_mm256_mullo_epi32(high, factor), term);
        let bins = match shift {
            Some(shift) => _mm256_srl_epi32(hash, shift),
            None => _mm256_blend_epi32::<0b1010_1010>(
                _mm256_srli_epi64::<32>(_mm256_mul_epu32(hash, sizes)),
                _mm256_mul_epu32(_mm256_srli_epi64::<32>(hash), sizes),
            ),
        };
        let words = _mm256_permutevar8x32_epi32(empty, _mm256_srli_epi32::<5>(bins));
        // The bit of the position moves to the top, where the mask is taken from.
        let distance = _mm256_sub_epi32(splat(31), _mm256_and_si256(bins, splat(31)));
        let hit = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_sllv_epi32(words, distance))) as usize;
        let lanes = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(PACKED[hit] as i64));
        let places = _mm256_permutevar8x32_epi32(_mm256_add_epi32(order, splat(at)), lanes);
        // SAFETY: there were at most as many hits as features so far, and there is room for eight more.
        unsafe { _mm256_storeu_si256(hits.as_mut_ptr().add(count).cast(), places) };
        count += hit.count_ones() as usize;
    }
    let hits = hits[..count].iter().map(|&hit| features[hit as usize]);
    portable::later_round(hits, parameters, round, signature);
    portable::later_round(rest.iter().copied(), parameters, round, signature);
}

#[target_feature(enable = "avx2")]
pub(super) unsafe fn lower_wide(hashes: &[u64], factors: &[u64], terms: &[u64], minima: &mut [u64]) {
    super::permuted::lower_wide(hashes, factors, terms, minima);
}

#[target_feature(enable = "avx2")]
pub(super) unsafe fn lower_legacy(hashes: &[u64], factors: &[u64], terms: &[u64], minima: &mut [u32]) {
    super::permuted::lower_legacy(hashes, factors, terms, minima);
}

#[target_feature(enable = "avx2")]
pub(super) unsafe fn lower_minima(
    features: &[u64],
    multipliers: &[u32],
    increments: &[u32],
    minima: &mut [u32],
) {
    let whole = minima.len() & !7;
    let mut at = 0;
    while at < whole {
        // SAFETY: this many whole vectors from `at` lie inside all three slices, which have equal lengths.
        unsafe {
            if whole - at >= 32 {
                lower_groups::<4>(features, &multipliers[at..], &increments[at..], &mut minima[at..]);
                at += 32;
            } else {
                lower_groups::<1>(features, &multipliers[at..], &increments[at..], &mut minima[at..]);
                at += 8;
            }
        }
    }
    portable::lower_minima(features, &multipliers[whole..], &increments[whole..], &mut minima[whole..]);
}

/// Lowers the first `8 * GROUPS` positions, which stay in registers over all features.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn lower_groups<const GROUPS: usize>(
    features: &[u64],
    multipliers: &[u32],
    increments: &[u32],
    minima: &mut [u32],
) {
    let load = |from: &[u32]| -> [__m256i; GROUPS] {
        std::array::from_fn(|group| {
            // SAFETY: the caller gives slices of at least `8 * GROUPS` values.
            unsafe { _mm256_loadu_si256(from.as_ptr().add(8 * group).cast()) }
        })
    };
    let (factors, terms, mut least) = (load(multipliers), load(increments), load(minima));
    for &feature in features {
        let value = _mm256_set1_epi32(feature as i32);
        for group in 0..GROUPS {
            let hash = _mm256_add_epi32(_mm256_mullo_epi32(factors[group], value), terms[group]);
            least[group] = _mm256_min_epu32(least[group], hash);
        }
    }
    for (group, least) in least.into_iter().enumerate() {
        // SAFETY: as above.
        unsafe { _mm256_storeu_si256(minima.as_mut_ptr().add(8 * group).cast(), least) };
    }
}
