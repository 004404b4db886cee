//! Tokens into hashes.
//!
//! `unsafe` as in the rest of [`super`].

use crate::hash::xxh3::{self, PRIME_MX1, PRIME_MX2, PRIME64_2, PRIME64_3};
use crate::text::Spans;
use std::arch::x86_64::*;

/// Eight tokens at a time; the three short classes of XXH3 side by side, so that no branch has to guess
/// the length of a word.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(in crate::simd) unsafe fn hash_tokens(spans: &Spans, seed: u64, hashes: &mut Vec<u64>) {
    let (bytes, starts, ends) = spans.view();
    let keys = xxh3::Keys::new(seed);
    let count = starts.len();
    hashes.clear();
    hashes.reserve(count + 8);
    // Longer tokens, apart: so the loop has nothing to guess.
    let (mut longer, mut longer_count) = ([0_u32; LONGER + 8], 0);
    let hash_longer = |tokens: &[u32], hashes: *mut u64| {
        for token in tokens.iter().map(|&token| token as usize) {
            let hash = xxh3::hash(&bytes[starts[token] as usize..ends[token] as usize], seed, &keys);
            // SAFETY: `token` is below `count`, for which there is room.
            unsafe { *hashes.add(token) = hash };
        }
    };
    let splat = |x: u64| _mm512_set1_epi64(x as i64);
    let low_half = splat(0xffff_ffff);
    let mut at = 0;
    while at < count {
        let lanes = if count - at >= 8 { 0xff } else { 0xff >> (8 - (count - at)) };
        let (starts, ends) = (eight(starts, at), eight(ends, at));
        // SAFETY: every span leaves FRONT bytes before and BACK bytes behind it, so eight bytes from a start and eight before an
        // end lie inside `bytes`.
        let (first, last) = unsafe {
            let base = bytes.as_ptr();
            (
                load_eight(starts.map(|start| base.add(start as usize))),
                load_eight(ends.map(|end| base.add(end as usize - 8))),
            )
        };
        // SAFETY: both arrays hold a vector.
        let length = unsafe {
            let (start, end) =
                (_mm256_loadu_si256(starts.as_ptr().cast()), _mm256_loadu_si256(ends.as_ptr().cast()));
            _mm512_cvtepu32_epi64(_mm256_sub_epi32(end, start))
        };
        let up_to_3 = _mm512_cmple_epu64_mask(length, splat(3));
        let above_8 = _mm512_cmpgt_epu64_mask(length, splat(8));

        // 1 to 3 bytes: the first, the middle and the last.
        let middle = {
            let two = _mm512_cmpgt_epu64_mask(length, splat(1));
            _mm512_and_si512(_mm512_mask_srli_epi64::<8>(first, two, first), splat(0xff))
        };
        let outer = _mm512_or_si512(
            _mm512_slli_epi64::<16>(_mm512_and_si512(first, splat(0xff))),
            _mm512_srli_epi64::<56>(last),
        );
        let inner = _mm512_or_si512(_mm512_slli_epi64::<24>(middle), _mm512_slli_epi64::<8>(length));
        let tiny = _mm512_xor_si512(_mm512_or_si512(outer, inner), splat(keys.up_to_3));
        let tiny = _mm512_xor_si512(tiny, _mm512_srli_epi64::<33>(tiny));

        // 4 to 8 bytes: the first four and the last four.
        let both = _mm512_or_si512(_mm512_srli_epi64::<32>(last), _mm512_slli_epi64::<32>(first));
        let short = _mm512_xor_si512(both, splat(keys.up_to_8));
        let short = _mm512_ternarylogic_epi64::<0x96>(
            short,
            _mm512_rol_epi64::<49>(short),
            _mm512_rol_epi64::<24>(short),
        );

        let mixed = _mm512_mask_blend_epi64(up_to_3, short, tiny);
        let factor = _mm512_mask_blend_epi64(up_to_3, splat(PRIME_MX2), splat(PRIME64_2));
        let mixed = _mm512_mullo_epi64(mixed, factor);
        let tiny_shift = _mm512_srli_epi64::<29>(mixed);
        let short_shift = _mm512_add_epi64(_mm512_srli_epi64::<35>(mixed), length);
        let mixed = _mm512_xor_si512(mixed, _mm512_mask_blend_epi64(up_to_3, short_shift, tiny_shift));
        let factor = _mm512_mask_blend_epi64(up_to_3, splat(PRIME_MX2), splat(PRIME64_3));
        let shift = _mm512_mask_blend_epi64(up_to_3, splat(28), splat(32));

        // 9 to 16 bytes: the first eight and the last eight, multiplied to 128 bits. Three of four vectors have such a token,
        // so to ask costs more than to work in vain.
        let low = _mm512_xor_si512(first, splat(keys.up_to_16[0]));
        let high = _mm512_xor_si512(last, splat(keys.up_to_16[1]));
        let sum = _mm512_add_epi64(_mm512_add_epi64(length, high), swap_bytes(low));
        let long = _mm512_add_epi64(sum, multiply_fold(low, high, low_half));
        let long = _mm512_xor_si512(long, _mm512_srli_epi64::<37>(long));
        let mixed = _mm512_mask_mov_epi64(mixed, above_8, long);
        let factor = _mm512_mask_mov_epi64(factor, above_8, splat(PRIME_MX1));
        let shift = _mm512_mask_mov_epi64(shift, above_8, splat(32));
        let mixed = _mm512_mullo_epi64(mixed, factor);
        let hash = _mm512_xor_si512(mixed, _mm512_srlv_epi64(mixed, shift));
        // SAFETY: `hashes` has room for `count` values and a full vector more.
        unsafe { _mm512_storeu_si512(hashes.as_mut_ptr().add(at).cast(), hash) };

        let beyond = _mm512_cmpgt_epu64_mask(length, splat(16)) & lanes;
        let places = _mm512_add_epi64(splat(at as u64), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
        let places = _mm512_cvtepi64_epi32(_mm512_maskz_compress_epi64(beyond, places));
        // SAFETY: there are less than `LONGER` so far, and there is room for a vector more.
        unsafe { _mm256_storeu_si256(longer.as_mut_ptr().add(longer_count).cast(), places) };
        longer_count += beyond.count_ones() as usize;
        if longer_count >= LONGER {
            hash_longer(&longer[..longer_count], hashes.as_mut_ptr());
            longer_count = 0;
        }
        at += 8;
    }
    hash_longer(&longer[..longer_count], hashes.as_mut_ptr());
    // SAFETY: the loop above has written all `count` values.
    unsafe { hashes.set_len(count) };
}

/// Eight values from `at` on; the last one again where there are fewer, as all eight places are read.
#[inline(always)]
fn eight(values: &[u32], at: usize) -> [u32; 8] {
    match values[at..].first_chunk() {
        Some(values) => *values,
        None => std::array::from_fn(|lane| values[(at + lane).min(values.len() - 1)]),
    }
}

/// The eight bytes at each of eight places, loaded one by one: gathers are microcode on AMD, and on Intel where they are mitigated
/// (Downfall).
///
/// # Safety
/// They can be read.
#[inline(always)]
unsafe fn load_eight(places: [*const u8; 8]) -> __m512i {
    // SAFETY: the caller's; inlined into functions that enable AVX-512.
    unsafe {
        let [a, b, c, d, e, f, g, h] = places.map(|place| place.cast::<i64>().read_unaligned());
        _mm512_set_epi64(h, g, f, e, d, c, b, a)
    }
}

/// Tokens of more than 16 bytes that are put by before they are hashed.
const LONGER: usize = 64;

/// The low and the high half of each 128-bit product, xored.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn multiply_fold(a: __m512i, b: __m512i, low_half: __m512i) -> __m512i {
    // Halves are moved by shuffles, as shifts all go through one port.
    let (a_high, b_high) = (_mm512_shuffle_epi32::<0xf5>(a), _mm512_shuffle_epi32::<0xf5>(b));
    let low = _mm512_mul_epu32(a, b);
    let cross = [_mm512_mul_epu32(a_high, b), _mm512_mul_epu32(a, b_high)];
    let high = _mm512_mul_epu32(a_high, b_high);
    // Neither sum overflows: a product of halves is at most 2⁶⁴ - 2³³ + 1.
    let middle = _mm512_add_epi64(cross[0], _mm512_srli_epi64::<32>(low));
    let carry = _mm512_add_epi64(cross[1], _mm512_and_si512(middle, low_half));
    let upper = _mm512_add_epi64(
        _mm512_add_epi64(high, _mm512_srli_epi64::<32>(middle)),
        _mm512_srli_epi64::<32>(carry),
    );
    let lower = _mm512_mask_shuffle_epi32::<0xa0>(low, 0xaaaa, carry);
    _mm512_xor_si512(upper, lower)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn swap_bytes(x: __m512i) -> __m512i {
    let order = _mm512_set4_epi32(0x0809_0a0b, 0x0c0d_0e0f, 0x0001_0203, 0x0405_0607);
    _mm512_shuffle_epi8(x, order)
}
