//! The kernels for AVX-512 (F, BW, DQ, VL, VBMI, VBMI2: Ice Lake and later).
//!
//! `unsafe` has two reasons. The instructions exist only on such machines, which [`super::Level`] has checked. Vectors
//! are loaded from and stored to slices, and each block gives a reason why it stays in bounds.
#![allow(unsafe_code)]

mod bucketed;
mod combine;
mod tokens;

pub(super) use self::{bucketed::bucketed, combine::combine, tokens::hash_tokens};
pub(super) use super::votes::avx512::{second_half, votes, weighted_votes};

use super::portable::{AsciiBlock, NormalisedWords, Whitespace, WordsRule, split};
use crate::simd::Spans;
use crate::simd::feature_table::{BucketSearch, FeatureBucket, FeatureTable};
use std::arch::x86_64::*;

struct Avx512Vector;

impl AsciiBlock for Avx512Vector {
    #[inline(always)]
    fn words(from: &[u8; 64], to: &mut [u8; 64]) -> (u64, u64) {
        // SAFETY: inlined into functions that enable AVX-512. Both arrays hold a vector.
        unsafe {
            let block = _mm512_loadu_si512(from.as_ptr().cast());
            let within = |first: u8, count: i8, x| {
                _mm512_cmplt_epu8_mask(
                    _mm512_sub_epi8(x, _mm512_set1_epi8(first as i8)),
                    _mm512_set1_epi8(count),
                )
            };
            let upper = within(b'A', 26, block);
            let lower = _mm512_mask_add_epi8(block, upper, block, _mm512_set1_epi8(0x20));
            _mm512_storeu_si512(to.as_mut_ptr().cast(), lower);
            let mask = within(b'a', 26, lower)
                | within(b'0', 10, block)
                | _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(b'_' as i8));
            (_mm512_movepi8_mask(block), mask)
        }
    }

    #[inline(always)]
    fn whitespace(from: &[u8; 64], to: &mut [u8; 64]) -> (u64, u64) {
        // SAFETY: as in `words`.
        unsafe {
            let block = _mm512_loadu_si512(from.as_ptr().cast());
            _mm512_storeu_si512(to.as_mut_ptr().cast(), block);
            let controls = _mm512_sub_epi8(block, _mm512_set1_epi8(b'\t' as i8));
            let space = _mm512_cmplt_epu8_mask(controls, _mm512_set1_epi8(5))
                | _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(b' ' as i8));
            {
                let high = _mm512_movepi8_mask(block);
                (high, !space & !high)
            }
        }
    }

    /// Decides by the first two bytes of a character, and by the third after `E2 80` and `E2 81`. Quotation marks and
    /// dashes are therefore no candidates. Bytes behind the block may have any value.
    #[inline(always)]
    fn may_be_space(from: &[u8; 64], high: u64) -> u64 {
        // SAFETY: as in `words`.
        unsafe {
            let block = _mm512_loadu_si512(from.as_ptr().cast());
            let is = |byte: u8| _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(byte as i8));
            let second = |mask: u64| mask >> 1 | 1 << 63;
            let third = |mask: u64| mask >> 2 | 3 << 62;
            let up_to_8a = _mm512_cmple_epu8_mask(block, _mm512_set1_epi8(0x8a_u8 as i8)) & high;
            let [x80, x85, xa0] = [0x80, 0x85, 0xa0].map(is);
            is(0xc2) & second(x85 | xa0)
                | is(0xe1) & second(is(0x9a))
                | is(0xe2)
                    & second(x80 | is(0x81))
                    & third(up_to_8a | is(0xa8) | is(0xa9) | is(0xaf) | is(0x9f))
                | is(0xe3) & second(x80) & third(x80)
        }
    }

    #[inline(always)]
    fn push_positions(mask: u64, base: u32, positions: &mut Vec<u32>) {
        let count = mask.count_ones() as usize;
        positions.reserve(64);
        // SAFETY: inlined into functions that enable AVX-512. There is room for 64 more positions.
        unsafe {
            let end = positions.as_mut_ptr().add(positions.len());
            let packed = _mm512_maskz_compress_epi8(mask, iota());
            let base = _mm512_set1_epi32(base as i32);
            let store = |at: usize, quarter| {
                let wide = _mm512_add_epi32(_mm512_cvtepu8_epi32(quarter), base);
                _mm512_storeu_si512(end.add(at).cast(), wide);
            };
            store(0, _mm512_castsi512_si128(packed));
            if count > 16 {
                store(16, _mm512_extracti32x4_epi32::<1>(packed));
                if count > 32 {
                    // At most 32 tokens start in 64 bytes of words. But the split by white space also sees 0x1C, and
                    // all 64 features may fall into empty positions.
                    store(32, _mm512_extracti32x4_epi32::<2>(packed));
                    store(48, _mm512_extracti32x4_epi32::<3>(packed));
                }
            }
            positions.set_len(positions.len() + count);
        }
    }
}

/// The bytes 0 to 63.
#[inline(always)]
fn iota() -> __m512i {
    const BYTES: [u8; 64] = {
        let mut bytes = [0; 64];
        let mut i = 0;
        while i < 64 {
            bytes[i] = i as u8;
            i += 1;
        }
        bytes
    };
    // SAFETY: inlined into functions that enable AVX-512. The array holds a vector.
    unsafe { _mm512_loadu_si512(BYTES.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) unsafe fn split_words(text: &str, spans: &mut Spans) -> bool {
    split::<Avx512Vector, _>(text, WordsRule::new(), spans)
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) unsafe fn split_normalised_words(text: &str, spans: &mut Spans) {
    split::<Avx512Vector, _>(text, NormalisedWords::new(), spans);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) unsafe fn split_whitespace(text: &str, spans: &mut Spans) {
    split::<Avx512Vector, _>(text, Whitespace, spans);
}

impl BucketSearch for Avx512Vector {
    #[inline(always)]
    fn slots(bucket: &FeatureBucket, feature: u64) -> u8 {
        // SAFETY: inlined into functions that enable AVX-512. The bucket holds a vector.
        unsafe {
            let slots = _mm512_loadu_si512(bucket.0.as_ptr().cast());
            _mm512_cmpeq_epi64_mask(slots, _mm512_set1_epi64(feature as i64))
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) unsafe fn distinct(table: &mut FeatureTable, features: &mut [u64]) -> usize {
    table.distinct::<Avx512Vector>(features)
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) unsafe fn count_common(table: &FeatureTable, features: &[u64]) -> usize {
    table.count_common::<Avx512Vector>(features)
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) unsafe fn lower_wide(hashes: &[u64], factors: &[u64], terms: &[u64], minima: &mut [u64]) {
    super::permuted::lower_wide(hashes, factors, terms, minima);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) unsafe fn lower_legacy(hashes: &[u64], factors: &[u64], terms: &[u64], minima: &mut [u32]) {
    super::permuted::lower_legacy(hashes, factors, terms, minima);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) unsafe fn lower_minima(
    features: &[u64],
    multipliers: &[u32],
    increments: &[u32],
    minima: &mut [u32],
) {
    let mut at = 0;
    while at < minima.len() {
        let left = minima.len() - at;
        // SAFETY: `at` is below the length of all three slices, which have equal lengths.
        unsafe {
            if left > 16 {
                lower_groups::<4>(features, &multipliers[at..], &increments[at..], &mut minima[at..]);
                at += 64;
            } else {
                lower_groups::<1>(features, &multipliers[at..], &increments[at..], &mut minima[at..]);
                at += 16;
            }
        }
    }
}

/// Lowers the first `16 * GROUPS` positions, or fewer at the end. They stay in registers over all features.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
unsafe fn lower_groups<const GROUPS: usize>(
    features: &[u64],
    multipliers: &[u32],
    increments: &[u32],
    minima: &mut [u32],
) {
    let lanes: [__mmask16; GROUPS] = std::array::from_fn(|group| {
        let left = minima.len().saturating_sub(16 * group).min(16);
        (0xffff_u32 >> (16 - left)) as u16
    });
    let load = |from: &[u32]| -> [__m512i; GROUPS] {
        std::array::from_fn(|group| {
            let from = from.as_ptr().wrapping_add(16 * group).cast();
            // SAFETY: masked loads read only positions that exist.
            unsafe { _mm512_maskz_loadu_epi32(lanes[group], from) }
        })
    };
    let (factors, terms, mut least) = (load(multipliers), load(increments), load(minima));
    for &feature in features {
        let value = _mm512_set1_epi32(feature as i32);
        for group in 0..GROUPS {
            let hash = _mm512_add_epi32(_mm512_mullo_epi32(factors[group], value), terms[group]);
            least[group] = _mm512_min_epu32(least[group], hash);
        }
    }
    for group in 0..GROUPS {
        // SAFETY: masked stores write only positions that exist.
        unsafe {
            let to = minima.as_mut_ptr().wrapping_add(16 * group).cast();
            _mm512_mask_storeu_epi32(to, lanes[group], least[group]);
        }
    }
}
