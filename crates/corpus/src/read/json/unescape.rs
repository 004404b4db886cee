//! Removing escapes from texts, 64 bytes at a time.
//!
//! This file has `unsafe` for two reasons. Its instructions exist only on machines for which there is an [`Unescaper`]. Vectors
//! are loaded from arrays, and stored to arrays.
#![allow(unsafe_code)]

#[cfg(all(target_arch = "x86_64", not(miri)))]
use std::arch::x86_64::*;

/// The bytes in a block.
pub(super) const BLOCK: usize = 64;

/// A value that exists only on machines with AVX-512 (F, BW, VBMI, VBMI2).
#[derive(Clone, Copy, Debug)]
pub(super) struct Unescaper(());

/// The numbers of bytes that were read and written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct UnescapeProgress {
    pub(super) read: usize,
    pub(super) written: usize,
}

impl Unescaper {
    /// The unescaper of this machine, if it has the instructions.
    pub(super) fn detect() -> Option<Self> {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("popcnt")
        {
            return Some(Unescaper(()));
        }
        None
    }

    /// Copies a text to `to` without its escapes. It stops at the first of these:
    /// - the quotation mark that ends the text,
    /// - a control character,
    /// - an escape other than `\n \t \r \" \\ \/`,
    /// - the last bytes of `from` or `to`, if they are less than a block.
    ///
    /// Line ends make prose a chain of short stretches between escapes. Here they cost no branch, because backslashes are
    /// dropped when a block is packed.
    pub(super) fn unescape(self, from: &[u8], to: &mut [u8]) -> UnescapeProgress {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        // SAFETY: An `Unescaper` exists only if `detect` found these features.
        return unsafe { unescape(from, to) };
        #[cfg(not(all(target_arch = "x86_64", not(miri))))]
        UnescapeProgress::default()
    }
}

/// The character of an escape by the letter behind its backslash. It is 0 for escapes that are left to the caller.
#[cfg(all(target_arch = "x86_64", not(miri)))]
static UNESCAPED: [u8; 128] = {
    let mut table = [0; 128];
    let known = [(b'n', b'\n'), (b't', b'\t'), (b'r', b'\r'), (b'"', b'"'), (b'\\', b'\\'), (b'/', b'/')];
    let mut i = 0;
    while i < known.len() {
        table[known[i].0 as usize] = known[i].1;
        i += 1;
    }
    table
};

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,popcnt")]
fn unescape(from: &[u8], to: &mut [u8]) -> UnescapeProgress {
    let UnescapeProgress { mut read, mut written } = UnescapeProgress::default();
    // SAFETY: The table is two vectors long.
    let (lower, upper) = unsafe {
        let table: *const u8 = UNESCAPED.as_ptr();
        (_mm512_loadu_si512(table.cast()), _mm512_loadu_si512(table.add(64).cast()))
    };
    while let Some(block) = from[read..].first_chunk::<BLOCK>()
        && let Some(room) = to[written..].first_chunk_mut::<BLOCK>()
    {
        // SAFETY: The array is a vector long.
        let bytes = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
        let splat = |byte: u8| _mm512_set1_epi8(byte as i8);
        let is = |byte: u8| _mm512_cmpeq_epi8_mask(bytes, splat(byte));
        let (backslashes, quotes) = (is(b'\\'), is(b'"'));
        let controls = _mm512_cmplt_epu8_mask(bytes, splat(b' '));

        let starts = escape_starts(backslashes);
        let escaped = starts << 1;
        let undone = _mm512_mask2_permutex2var_epi8(lower, bytes, escaped, upper);
        let unknown = _mm512_testn_epi8_mask(undone, undone) | _mm512_movepi8_mask(bytes);
        let stops = (quotes & !escaped) | controls | (escaped & unknown) >> 1;
        // The last byte of the block is a backslash whose escaped character is in the next block.
        let ends = stops | (starts & 1 << 63);
        // This branch is nearly always taken. The next block therefore need not wait for the contents of this one.
        if ends == 0 {
            written += pack(undone, !starts, room);
            read += BLOCK;
            continue;
        }
        let count = ends.trailing_zeros() as usize;
        written += pack(undone, !starts & !(u64::MAX << count), room);
        read += count;
        // If there is a stop, the block ends at it: the last byte cannot be both a backslash and a stop.
        if stops != 0 {
            break;
        }
    }
    UnescapeProgress { read, written }
}

/// Writes the kept bytes one behind the other, followed by arbitrary bytes. Returns the number of kept bytes.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
fn pack(bytes: __m512i, kept: u64, room: &mut [u8; BLOCK]) -> usize {
    // SAFETY: The array is a vector long.
    unsafe { _mm512_storeu_si512(room.as_mut_ptr().cast(), _mm512_maskz_compress_epi8(kept, bytes)) };
    kept.count_ones() as usize
}

/// The backslashes that start an escape. The first byte of the block must not be escaped itself.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
fn escape_starts(backslashes: u64) -> u64 {
    if backslashes & backslashes << 1 == 0 {
        return backslashes;
    }
    let (mut left, mut starts) = (backslashes, 0);
    while left != 0 {
        let first = left & left.wrapping_neg();
        starts |= first;
        left &= !(first | first << 1);
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The result of reading one byte or escape at a time.
    fn one_by_one(from: &[u8]) -> (usize, Vec<u8>) {
        let (mut at, mut text) = (0, Vec::new());
        while let Some(&byte) = from.get(at) {
            match (byte, from.get(at + 1)) {
                (b'"' | 0..b' ', _) => break,
                (b'\\', Some(b'n')) => text.push(b'\n'),
                (b'\\', Some(b't')) => text.push(b'\t'),
                (b'\\', Some(b'r')) => text.push(b'\r'),
                (b'\\', Some(&escaped @ (b'"' | b'\\' | b'/'))) => text.push(escaped),
                (b'\\', _) => break,
                _ => text.push(byte),
            }
            at += if byte == b'\\' { 2 } else { 1 };
        }
        (at, text)
    }

    proptest! {
        #[test]
        fn blocks_are_unescaped_with_the_same_result_as_single_bytes(
            pieces in prop::collection::vec(
                prop_oneof![
                    8 => "[a-zé“]{1,40}", 4 => Just("\\n".into()), 2 => Just("\\\\".into()), 2 => Just("\\\"".into()),
                    1 => Just("\\t\\r\\/".into()),
                    1 => prop::sample::select(vec!["\"", "\\u0041", "\\b", "\t", "\\x", "\\"]).prop_map(String::from),
                    // The first byte behind the backslash is a known letter, except for its highest bit.
                    1 => prop::sample::select(vec!["\\\u{700}", "\\\u{e000}", "\\\u{80000}", "\\\u{100000}"]).prop_map(String::from),
                ],
                0..60,
            ),
            start in 0_usize..64,
        ) {
            let Some(unescaper) = Unescaper::detect() else { return Ok(()) };
            let from = [vec![b'.'; start], pieces.concat().into_bytes()].concat();
            let mut to = vec![0; from.len() + BLOCK];
            let UnescapeProgress { read, written } = unescaper.unescape(&from, &mut to);
            let (end, text) = one_by_one(&from);
            prop_assert!(text.starts_with(&to[..written]));
            prop_assert_eq!(one_by_one(&from[read..]), (end - read, text[written..].to_vec()));
            // It stops early only when less than a block is left.
            prop_assert!(read == end || from.len() - read < BLOCK, "{} {} {}", read, end, from.len());
        }
    }
}
