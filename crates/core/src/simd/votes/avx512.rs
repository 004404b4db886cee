//! Votes for AVX-512, where an adder is two instructions. The reasons for `unsafe` are in `simd::avx512`.
#![allow(unsafe_code)]

use super::{BLOCK, Lanes};
use std::arch::x86_64::*;

impl Lanes for __m512i {
    const COUNT: usize = 8;

    #[inline(always)]
    fn zero() -> Self {
        // SAFETY: here and below: inlined into functions that enable AVX-512.
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    fn load(block: &[u64; BLOCK], at: usize) -> Self {
        let words = &block[at..at + 8];
        // SAFETY: the slice holds a vector.
        unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn load_where(block: &[u64; BLOCK], weights: &[u32; BLOCK], digit: u32, at: usize) -> Self {
        let (words, weights) = (&block[at..at + 8], &weights[at..at + 8]);
        // SAFETY: the slices hold a vector and half a vector.
        unsafe {
            let weights = _mm256_loadu_si256(weights.as_ptr().cast());
            let present = _mm256_test_epi32_mask(weights, _mm256_set1_epi32(1 << digit));
            _mm512_maskz_loadu_epi64(present, words.as_ptr().cast())
        }
    }

    #[inline(always)]
    fn add(self, b: Self, c: Self) -> (Self, Self) {
        // SAFETY: as in `zero`.
        unsafe {
            // The truth tables of exclusive or and of the majority of three.
            (_mm512_ternarylogic_epi64::<0x96>(self, b, c), _mm512_ternarylogic_epi64::<0xe8>(self, b, c))
        }
    }

    #[inline(always)]
    fn rotate<const BY: usize>(self) -> Self {
        // SAFETY: as in `zero`.
        unsafe {
            match BY {
                1 => _mm512_alignr_epi64::<1>(self, self),
                2 => _mm512_alignr_epi64::<2>(self, self),
                _ => _mm512_alignr_epi64::<4>(self, self),
            }
        }
    }

    #[inline(always)]
    fn first(self) -> u64 {
        // SAFETY: as in `zero`.
        unsafe { _mm_cvtsi128_si64(_mm512_castsi512_si128(self)) as u64 }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(in crate::simd) unsafe fn votes(features: &[u64], least: u64) -> u64 {
    super::votes::<__m512i>(features, least)
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(in crate::simd) unsafe fn weighted_votes(
    features: &[u64],
    weights: &[u32],
    total: u64,
    least: u64,
) -> u64 {
    super::weighted_votes::<__m512i>(features, weights, total, least)
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(in crate::simd) unsafe fn second_half(features: &[u64], halves: &mut Vec<u64>) {
    super::portable::second_half(features, halves);
}
