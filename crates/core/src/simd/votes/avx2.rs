//! Votes for AVX2. The reasons for `unsafe` are in `simd::avx512`.
#![allow(unsafe_code)]

use super::{BLOCK, Lanes};
use std::arch::x86_64::*;

impl Lanes for __m256i {
    const COUNT: usize = 4;

    #[inline(always)]
    fn zero() -> Self {
        // SAFETY: here and below: inlined into functions that enable AVX2.
        unsafe { _mm256_setzero_si256() }
    }

    #[inline(always)]
    fn load(block: &[u64; BLOCK], at: usize) -> Self {
        let words = &block[at..at + 4];
        // SAFETY: the slice holds a vector.
        unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn load_where(block: &[u64; BLOCK], weights: &[u32; BLOCK], digit: u32, at: usize) -> Self {
        let words = Self::load(block, at);
        let weights = &weights[at..at + 4];
        // SAFETY: the slice holds half a vector.
        unsafe {
            let weights = _mm_loadu_si128(weights.as_ptr().cast());
            // Moves the digit to the sign, and the sign to all bits.
            let signs = _mm_sll_epi32(weights, _mm_cvtsi32_si128(31 - digit as i32));
            let present = _mm256_cvtepi32_epi64(_mm_srai_epi32::<31>(signs));
            _mm256_and_si256(words, present)
        }
    }

    #[inline(always)]
    fn add(self, b: Self, c: Self) -> (Self, Self) {
        // SAFETY: as in `zero`.
        unsafe {
            let half = _mm256_xor_si256(self, b);
            let carry = _mm256_or_si256(_mm256_and_si256(self, b), _mm256_and_si256(half, c));
            (_mm256_xor_si256(half, c), carry)
        }
    }

    #[inline(always)]
    fn rotate<const BY: usize>(self) -> Self {
        // SAFETY: as in `zero`.
        unsafe {
            match BY {
                1 => _mm256_permute4x64_epi64::<0b00_11_10_01>(self),
                _ => _mm256_permute4x64_epi64::<0b01_00_11_10>(self),
            }
        }
    }

    #[inline(always)]
    fn first(self) -> u64 {
        // SAFETY: as in `zero`.
        unsafe { _mm_cvtsi128_si64(_mm256_castsi256_si128(self)) as u64 }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(in crate::simd) unsafe fn votes(features: &[u64], least: u64) -> u64 {
    super::votes::<__m256i>(features, least)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(in crate::simd) unsafe fn weighted_votes(
    features: &[u64],
    weights: &[u32],
    total: u64,
    least: u64,
) -> u64 {
    super::weighted_votes::<__m256i>(features, weights, total, least)
}

#[target_feature(enable = "avx2")]
pub(in crate::simd) unsafe fn second_half(features: &[u64], halves: &mut Vec<u64>) {
    super::portable::second_half(features, halves);
}
