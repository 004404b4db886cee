//! Texts without their escapes, 64 bytes at a time.
//!
//! `unsafe` for two reasons: the instructions exist only on machines for which there is an [`Unescaper`], and vectors are loaded from
//! and stored to arrays.
#![allow(unsafe_code)]

#[cfg(all(target_arch = "x86_64", not(miri)))]
use std::arch::x86_64::*;

/// Bytes of a block.
pub(super) const BLOCK: usize = 64;

/// Exists only where this machine has AVX-512 (F, BW, VBMI, VBMI2).
#[derive(Clone, Copy, Debug)]
pub(super) struct Unescaper(());

/// How far it came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Progress {
    pub(super) read: usize,
    pub(super) written: usize,
}

impl Unescaper {
    /// That of this machine, if it has the instructions.
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

    /// Copies a text to `to`, its escapes undone, up to the first of: the quotation mark that ends it; a control character; an
    /// escape that is not one of `\n \t \r \" \\ \/`; the last bytes of `from` or `to` that are less than a block.
    ///
    /// Line ends make prose a chain of short stretches between escapes. Here they cost no branch: backslashes are left out as a
    /// block is packed.
    pub(super) fn unescape(self, from: &[u8], to: &mut [u8]) -> Progress {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        // SAFETY: there is an `Unescaper` only where `detect` saw these features.
        return unsafe { unescape(from, to) };
        #[cfg(not(all(target_arch = "x86_64", not(miri))))]
        Progress::default()
    }
}

/// What the letter behind a backslash stands for; 0 for those that are left to the caller.
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
fn unescape(from: &[u8], to: &mut [u8]) -> Progress {
    let Progress { mut read, mut written } = Progress::default();
    // SAFETY: the table is two vectors long.
    let (lower, upper) = unsafe {
        let table: *const u8 = UNESCAPED.as_ptr();
        (_mm512_loadu_si512(table.cast()), _mm512_loadu_si512(table.add(64).cast()))
    };
    while let Some(block) = from[read..].first_chunk::<BLOCK>()
        && let Some(room) = to[written..].first_chunk_mut::<BLOCK>()
    {
        // SAFETY: the array is a vector long.
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
        // What the last backslash escapes is in the next block.
        let ends = stops | (starts & 1 << 63);
        // A branch that is nearly always taken, so that the next block need not wait for what this one holds.
        if ends == 0 {
            written += pack(undone, !starts, room);
            read += BLOCK;
            continue;
        }
        let count = ends.trailing_zeros() as usize;
        written += pack(undone, !starts & !(u64::MAX << count), room);
        read += count;
        // If there is one, it is where this block ends: the last byte cannot be both a backslash and a stop.
        if stops != 0 {
            break;
        }
    }
    Progress { read, written }
}

/// Writes those bytes that are kept, one behind the other, and anything after them; returns how many they are.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
fn pack(bytes: __m512i, kept: u64, room: &mut [u8; BLOCK]) -> usize {
    // SAFETY: the array is a vector long.
    unsafe { _mm512_storeu_si512(room.as_mut_ptr().cast(), _mm512_maskz_compress_epi8(kept, bytes)) };
    kept.count_ones() as usize
}

/// Those of the backslashes that escape what is behind them; the first byte of the block is not escaped.
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

    /// One byte or escape at a time.
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
        fn blocks_are_unescaped_as_bytes_are_one_by_one(
            pieces in prop::collection::vec(
                prop_oneof![
                    8 => "[a-zé“]{1,40}", 4 => Just("\\n".into()), 2 => Just("\\\\".into()), 2 => Just("\\\"".into()),
                    1 => Just("\\t\\r\\/".into()),
                    1 => prop::sample::select(vec!["\"", "\\u0041", "\\b", "\t", "\\x", "\\"]).prop_map(String::from),
                    // Their first bytes are those of letters that may be escaped, but for the highest bit.
                    1 => prop::sample::select(vec!["\\\u{700}", "\\\u{e000}", "\\\u{80000}", "\\\u{100000}"]).prop_map(String::from),
                ],
                0..60,
            ),
            start in 0_usize..64,
        ) {
            let Some(unescaper) = Unescaper::detect() else { return Ok(()) };
            let from = [vec![b'.'; start], pieces.concat().into_bytes()].concat();
            let mut to = vec![0; from.len() + BLOCK];
            let Progress { read, written } = unescaper.unescape(&from, &mut to);
            let (end, text) = one_by_one(&from);
            prop_assert!(text.starts_with(&to[..written]));
            prop_assert_eq!(one_by_one(&from[read..]), (end - read, text[written..].to_vec()));
            // It stops early only where less than a block is left.
            prop_assert!(read == end || from.len() - read < BLOCK, "{} {} {}", read, end, from.len());
        }
    }
}
