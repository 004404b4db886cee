//! Sixteen code points at a time. Each one's four bytes are made in its place, and the bytes that it lacks are then left out.
//!
//! This file has `unsafe` for two reasons. Its instructions exist only on machines for which [`detect`] gives the function. Vectors are loaded
//! from arrays, and stored to arrays.
#![allow(unsafe_code)]

use super::{Encode, NoCharacter, RUN, RUN_BYTES, encode_each};
use std::arch::x86_64::*;

/// The function, if this machine has AVX-512 (F, BW, VBMI2) and POPCNT.
pub(super) fn detect() -> Option<Encode> {
    let is_there = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("popcnt");
    // SAFETY: The features are there.
    is_there.then_some(|points, to| unsafe { encode(points, to) })
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
fn encode(points: &[u32], to: &mut [u8]) -> Result<usize, NoCharacter> {
    let (mut end, (runs, rest)) = (0, points.as_chunks::<RUN>());
    let splat = |value: u32| _mm512_set1_epi32(value as i32);
    let mut wrong = 0;
    for run in runs {
        // SAFETY: The array is a vector long.
        let points = unsafe { _mm512_loadu_si512(run.as_ptr().cast()) };
        let room: &mut [u8; RUN_BYTES] = to[end..].first_chunk_mut().ok_or(NoCharacter)?;
        let two = _mm512_cmpge_epu32_mask(points, splat(0x80));
        if two == 0 {
            // SAFETY: The array is longer than a quarter of a vector.
            unsafe { _mm_storeu_si128(room.as_mut_ptr().cast(), _mm512_cvtepi32_epi8(points)) };
            end += RUN;
            continue;
        }
        let three = _mm512_cmpge_epu32_mask(points, splat(0x800));
        let four = _mm512_cmpge_epu32_mask(points, splat(0x1_0000));
        wrong |= _mm512_cmpeq_epi32_mask(_mm512_and_si512(points, splat(0xFFFF_F800)), splat(0xD800))
            | _mm512_cmpgt_epu32_mask(points, splat(0x10_FFFF));

        let low = |shifted| _mm512_and_si512(shifted, splat(0x3F));
        let any = |a, b, c| _mm512_or_si512(_mm512_or_si512(a, b), c);
        let (six, twelve) = (_mm512_srli_epi32(points, 6), _mm512_srli_epi32(points, 12));
        let last = low(points);
        let of_two = any(splat(0x80C0), six, _mm512_slli_epi32(last, 8));
        let middle = _mm512_slli_epi32(low(six), 8);
        let of_three = any(_mm512_or_si512(splat(0x80_80E0), twelve), middle, _mm512_slli_epi32(last, 16));
        let mut bytes = _mm512_mask_mov_epi32(points, two, of_two);
        bytes = _mm512_mask_mov_epi32(bytes, three, of_three);
        if four != 0 {
            let upper =
                any(splat(0x8080_80F0), _mm512_srli_epi32(points, 18), _mm512_slli_epi32(low(twelve), 8));
            let of_four = any(upper, _mm512_slli_epi32(low(six), 16), _mm512_slli_epi32(last, 24));
            bytes = _mm512_mask_mov_epi32(bytes, four, of_four);
        }
        let mut has = _mm512_mask_mov_epi32(splat(0xFF), two, splat(0xFFFF));
        has = _mm512_mask_mov_epi32(has, three, splat(0xFF_FFFF));
        has = _mm512_mask_mov_epi32(has, four, splat(u32::MAX));
        let mask = _mm512_movepi8_mask(has);
        // SAFETY: The array is a vector long.
        unsafe { _mm512_storeu_si512(room.as_mut_ptr().cast(), _mm512_maskz_compress_epi8(mask, bytes)) };
        end += mask.count_ones() as usize;
    }
    if wrong != 0 { Err(NoCharacter) } else { encode_each(rest, to, end) }
}
