//! The kernel that hashes tokens.
//!
//! The reasons for `unsafe` are in [`super`].

use crate::hash::xxh3::{self, PRIME_MX1, PRIME_MX2, PRIME64_2, PRIME64_3};
use crate::simd::{BACK, FRONT, Spans};
use std::arch::x86_64::*;

/// Hashes eight tokens at a time. The three short classes of XXH3 are computed side by side, so no branch has to
/// predict the length of a word.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub(in crate::simd) unsafe fn hash_tokens(spans: &Spans, seed: u64, hashes: &mut Vec<u64>) {
    let (bytes, starts, ends) = spans.view();
    let keys = xxh3::DerivedKeys::new(seed);
    let count = starts.len();
    hashes.clear();
    hashes.reserve(count + 8);
    // Longer tokens are collected and hashed separately, so the loop has no unpredictable branch.
    let (mut longer, mut longer_count) = ([0_u32; LONGER + 8], 0);
    let hash_longer = |tokens: &[u32], hashes: *mut u64| {
        for token in tokens.iter().map(|&token| token as usize) {
            let hash = xxh3::hash(&bytes[starts[token] as usize..ends[token] as usize], seed, &keys);
            // SAFETY: `token` is below `count`, for which there is room.
            unsafe { *hashes.add(token) = hash };
        }
    };
    for at in (0..count).step_by(8) {
        let (starts, ends) = (eight(starts, at), eight(ends, at));
        // SAFETY: both arrays hold a vector.
        let (start, end) =
            unsafe { (_mm256_loadu_si256(starts.as_ptr().cast()), _mm256_loadu_si256(ends.as_ptr().cast())) };
        let length = _mm512_cvtepu32_epi64(_mm256_sub_epi32(end, start));
        // SAFETY: the spans are those of `bytes`.
        let (first, last) = unsafe { eight_bytes_of_ends(bytes, starts, start, ends, end) };
        let hash = hash_eight(first, last, length, &keys);
        // SAFETY: `hashes` has room for `count` values and a full vector more.
        unsafe { _mm512_storeu_si512(hashes.as_mut_ptr().add(at).cast(), hash) };

        let lanes = if count - at >= 8 { 0xff } else { 0xff >> (8 - (count - at)) };
        let beyond = _mm512_cmpgt_epu64_mask(length, _mm512_set1_epi64(16)) & lanes;
        let places = _mm256_add_epi32(_mm256_set1_epi32(at as i32), _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0));
        let places = _mm256_maskz_compress_epi32(beyond, places);
        // SAFETY: there are less than `LONGER` so far, and there is room for one more vector.
        unsafe { _mm256_storeu_si256(longer.as_mut_ptr().add(longer_count).cast(), places) };
        longer_count += beyond.count_ones() as usize;
        if longer_count >= LONGER {
            hash_longer(&longer[..longer_count], hashes.as_mut_ptr());
            longer_count = 0;
        }
    }
    hash_longer(&longer[..longer_count], hashes.as_mut_ptr());
    // SAFETY: the loop above has written all `count` values.
    unsafe { hashes.set_len(count) };
}

/// The low and the high half of each 128-bit product, xored.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn eight_bytes_of_ends(
    bytes: &[u8],
    starts: [u32; 8],
    start: __m256i,
    ends: [u32; 8],
    end: __m256i,
) -> (__m512i, __m512i) {
    let from = starts[0] - 8;
    if ends[7] - from <= WINDOW as u32 {
        // SAFETY: every span leaves FRONT bytes before it and BACK bytes behind it. The window begins 8 bytes
        // before the first span's start and ends 120 bytes after it.
        let window = unsafe { TextWindow::load(bytes.as_ptr().add(from as usize)) };
        let behind = |place| _mm256_sub_epi32(place, _mm256_set1_epi32(from as i32));
        (
            window.eight_bytes(behind(start)),
            window.eight_bytes(behind(_mm256_sub_epi32(end, _mm256_set1_epi32(8)))),
        )
    } else {
        // SAFETY: as above.
        unsafe {
            let base = bytes.as_ptr();
            (
                load_eight(starts.map(|start| base.add(start as usize))),
                load_eight(ends.map(|end| base.add(end as usize - 8))),
            )
        }
    }
}

/// The low and the high half of each 128-bit product, xored.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn hash_eight(first: __m512i, last: __m512i, length: __m512i, keys: &xxh3::DerivedKeys) -> __m512i {
    let splat = |x: u64| _mm512_set1_epi64(x as i64);
    let low_half = splat(0xffff_ffff);
    // Shuffles for the second and third byte of each 64 bits: the first byte, then the first byte again or the second.
    let zeros = 0x8080_8080_u32 as i32;
    let first_twice = _mm512_set4_epi32(zeros, 0x8008_0880_u32 as i32, zeros, 0x8000_0080_u32 as i32);
    let first_two = _mm512_set4_epi32(zeros, 0x8009_0880_u32 as i32, zeros, 0x8001_0080_u32 as i32);
    let up_to_3 = _mm512_cmple_epu64_mask(length, splat(3));
    let above_8 = _mm512_cmpgt_epu64_mask(length, splat(8));

    // 1 to 3 bytes: the last, the length, the first, the middle.
    let two = _mm512_cmpgt_epu64_mask(length, splat(1));
    let order = _mm512_mask_blend_epi64(two, first_twice, first_two);
    let upper = _mm512_or_si512(_mm512_shuffle_epi8(first, order), length);
    let tiny = _mm512_xor_si512(_mm512_shrdi_epi64::<56>(last, upper), splat(keys.up_to_3));
    let tiny = _mm512_xor_si512(tiny, _mm512_srli_epi64::<33>(tiny));

    // 4 to 8 bytes: the first four and the last four.
    let short = _mm512_xor_si512(_mm512_shrdi_epi64::<32>(last, first), splat(keys.up_to_8));
    let short = _mm512_ternarylogic_epi64::<0x96>(
        short,
        _mm512_rol_epi64::<49>(short),
        _mm512_rol_epi64::<24>(short),
    );

    let mixed = _mm512_mask_blend_epi64(up_to_3, short, tiny);
    let factor = _mm512_mask_blend_epi64(up_to_3, splat(PRIME_MX2), splat(PRIME64_2));
    let mixed = _mm512_mullo_epi64(mixed, factor);
    let shifted = _mm512_srlv_epi64(mixed, _mm512_mask_blend_epi64(up_to_3, splat(35), splat(29)));
    let mixed = _mm512_xor_si512(mixed, _mm512_mask_add_epi64(shifted, !up_to_3, shifted, length));
    let factor = _mm512_mask_blend_epi64(up_to_3, splat(PRIME_MX2), splat(PRIME64_3));
    let shift = _mm512_mask_blend_epi64(up_to_3, splat(28), splat(32));

    // 9 to 16 bytes: the first eight and the last eight, multiplied to 128 bits. Three of four vectors have such a
    // token, so a test would cost more than the work that it saves.
    let low = _mm512_xor_si512(first, splat(keys.up_to_16[0]));
    let high = _mm512_xor_si512(last, splat(keys.up_to_16[1]));
    let sum = _mm512_add_epi64(_mm512_add_epi64(length, high), swap_bytes(low));
    let long = _mm512_add_epi64(sum, multiply_fold(low, high, low_half));
    let long = _mm512_xor_si512(long, _mm512_srli_epi64::<37>(long));
    let mixed = _mm512_mask_mov_epi64(mixed, above_8, long);
    let factor = _mm512_mask_mov_epi64(factor, above_8, splat(PRIME_MX1));
    let shift = _mm512_mask_mov_epi64(shift, above_8, splat(32));
    let mixed = _mm512_mullo_epi64(mixed, factor);
    _mm512_xor_si512(mixed, _mm512_srlv_epi64(mixed, shift))
}

/// Eight values from `at` on. If there are fewer, the last one is repeated, as all eight are read.
#[inline(always)]
fn eight(values: &[u32], at: usize) -> [u32; 8] {
    match values[at..].first_chunk() {
        Some(values) => *values,
        None => std::array::from_fn(|lane| values[(at + lane).min(values.len() - 1)]),
    }
}

/// The eight bytes at each of eight places, loaded one by one. Gathers are microcode on AMD, and on Intel CPUs that
/// mitigate Downfall.
/// # Safety
/// These bytes must be readable.
#[inline(always)]
unsafe fn load_eight(places: [*const u8; 8]) -> __m512i {
    // SAFETY: guaranteed by the caller. Inlined into functions that enable AVX-512.
    unsafe {
        let [a, b, c, d, e, f, g, h] = places.map(|place| place.cast::<i64>().read_unaligned());
        _mm512_set_epi64(h, g, f, e, d, c, b, a)
    }
}

/// Bytes of text that are loaded at once. Eight tokens rarely take more.
const WINDOW: usize = 128;

// A window begins eight bytes before a token.
const _: () = assert!(FRONT >= 8 && BACK + 8 >= WINDOW);

/// A window of [`WINDOW`] bytes of a text.
#[derive(Clone, Copy)]
struct TextWindow([__m512i; 2]);

impl TextWindow {
    /// # Safety
    /// The [`WINDOW`] bytes from `from` must be readable.
    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: guaranteed by the caller. Inlined into functions that enable AVX-512.
        unsafe { TextWindow([_mm512_loadu_si512(from.cast()), _mm512_loadu_si512(from.add(64).cast())]) }
    }

    /// The eight bytes at each of eight places in the window. Places wrap around at its end, and the bytes read there
    /// belong to no token.
    #[inline(always)]
    fn eight_bytes(self, places: __m256i) -> __m512i {
        // SAFETY: inlined into functions that enable AVX-512.
        unsafe {
            let each = _mm512_set_epi64(
                0x1c1c_1c1c_1c1c_1c1c,
                0x1818_1818_1818_1818,
                0x1414_1414_1414_1414,
                0x1010_1010_1010_1010,
                0x0c0c_0c0c_0c0c_0c0c,
                0x0808_0808_0808_0808,
                0x0404_0404_0404_0404,
                0,
            );
            let places = _mm512_permutexvar_epi8(each, _mm512_castsi256_si512(places));
            let bytes = _mm512_add_epi8(places, _mm512_set1_epi64(0x0706_0504_0302_0100));
            _mm512_permutex2var_epi8(self.0[0], bytes, self.0[1])
        }
    }
}

/// Tokens of more than 16 bytes that are collected before they are hashed.
const LONGER: usize = 64;

/// The low and the high half of each 128-bit product, xored.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn multiply_fold(a: __m512i, b: __m512i, low_half: __m512i) -> __m512i {
    // Halves are moved by shuffles, as all shifts use the same port.
    let (a_high, b_high) = (_mm512_shuffle_epi32::<0xf5>(a), _mm512_shuffle_epi32::<0xf5>(b));
    let low = _mm512_mul_epu32(a, b);
    let cross = [_mm512_mul_epu32(a_high, b), _mm512_mul_epu32(a, b_high)];
    let high = _mm512_mul_epu32(a_high, b_high);
    // Neither sum overflows, as a product of halves is at most 2⁶⁴ - 2³³ + 1.
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
