//! The kernels of [`crate::search::hamming`], compiled for machines that count the bits of eight numbers in one
//! instruction (AVX-512 VPOPCNTDQ: Ice Lake and later).
#![allow(unsafe_code)]

use crate::simd::hamming::kernels::{self, CompareCodes, LANES, ROWS};
use crate::simd::hamming::{AgreeingCodes, Code, CodeBuckets, CodePlace};
use std::arch::x86_64::*;

struct VpopcntVector;

impl CompareCodes for VpopcntVector {
    #[inline(always)]
    fn within<C: Code>(code: C, others: &[C; LANES], distance: u32) -> u32 {
        let others: *const [C; LANES] = others;
        // SAFETY: inlined into functions that enable these instructions. `Code` is sealed: codes of 64 bits are `u64`,
        // and eight of them are a vector. Other codes are `u128`, and eight of them are two vectors.
        unsafe {
            if C::BITS == 64 {
                let differing =
                    _mm512_xor_si512(_mm512_loadu_si512(others.cast()), _mm512_set1_epi64(code.low() as i64));
                let limit = _mm512_set1_epi64(i64::from(distance));
                return u32::from(_mm512_cmple_epu64_mask(_mm512_popcnt_epi64(differing), limit));
            }
            let (low, high) = (code.low() as i64, code.top(64) as i64);
            let code = _mm512_set_epi64(high, low, high, low, high, low, high, low);
            let counts = [0, 1].map(|half| {
                let differing =
                    _mm512_xor_si512(_mm512_loadu_si512(others.cast::<__m512i>().add(half).cast()), code);
                _mm512_popcnt_epi64(differing)
            });
            let low = _mm512_unpacklo_epi64(counts[0], counts[1]);
            let high = _mm512_unpackhi_epi64(counts[0], counts[1]);
            let limit = _mm512_set1_epi64(i64::from(distance));
            let close = u32::from(_mm512_cmple_epu64_mask(_mm512_add_epi64(low, high), limit));
            // Codes of the first vector are at even places, codes of the second at odd ones.
            _pext_u32(close, 0x55) | _pext_u32(close, 0xaa) << 4
        }
    }

    #[inline(always)]
    fn within_rows<C: Code>(codes: &[C; ROWS], others: &[C; LANES], distance: u32) -> u32 {
        if C::BITS != 64 {
            return codes
                .iter()
                .rev()
                .fold(0, |close, &code| close << LANES | Self::within(code, others, distance));
        }
        let others: *const [C; LANES] = others;
        // SAFETY: as above.
        unsafe {
            let others = _mm512_loadu_si512(others.cast());
            let limit = _mm512_set1_epi64(i64::from(distance));
            let counts = codes.map(|code| {
                _mm512_popcnt_epi64(_mm512_xor_si512(others, _mm512_set1_epi64(code.low() as i64)))
            });
            let [a, b, c, d] = counts;
            // One test of the nearest of four, as most are far. Tests and counts need the same execution unit.
            let nearest = _mm512_min_epu64(_mm512_min_epu64(a, b), _mm512_min_epu64(c, d));
            if _mm512_cmple_epu64_mask(nearest, limit) == 0 {
                return 0;
            }
            counts
                .iter()
                .rev()
                .fold(0, |close, &count| close << LANES | u32::from(_mm512_cmple_epu64_mask(count, limit)))
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn close_pairs<C: Code>(
    records: &[CodePlace<C>],
    ends: &[u32],
    few: usize,
    distance: u32,
    codes: &mut Vec<C>,
    near: &mut Vec<(u32, u32)>,
) {
    kernels::close_pairs::<VpopcntVector, C>(records, ends, few, distance, codes, near);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn close_rows<C: Code>(
    codes: &[C],
    rows: (usize, usize),
    distance: u32,
    near: &mut Vec<(u32, u32)>,
) {
    kernels::close_rows::<VpopcntVector, C>(codes, rows, distance, near);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn close_codes<C: Code>(
    codes: &[C],
    ranges: &[(u32, u32)],
    query: C,
    distance: u32,
    near: &mut Vec<(u32, u32)>,
) {
    kernels::close_codes::<VpopcntVector, C>(codes, ranges, query, distance, near);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn close_checks(
    entries: &[u32],
    ranges: &[(u32, u32)],
    check: u32,
    place_bits: u32,
    distance: u32,
    suspects: &mut Vec<u32>,
) {
    kernels::close_checks::<VpopcntVector>(entries, ranges, check, place_bits, distance, suspects);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn group<C: Code>(groups: &mut AgreeingCodes<C>, records: &[CodePlace<C>], mask: C, used: u32) {
    kernels::group(groups, records, mask, used);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn partition<'a, C: Code + 'a>(
    partition: &mut CodeBuckets<C>,
    runs: impl Iterator<Item = (u32, &'a [C])> + Clone,
    count: usize,
    mask: C,
    part: (u32, u32),
) {
    kernels::partition(partition, runs, count, mask, part);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn suspects<C: Code>(codes: &[C], part: (u32, u32), suspects: &mut Vec<CodePlace<C>>) {
    kernels::suspects(codes, part, suspects);
}
