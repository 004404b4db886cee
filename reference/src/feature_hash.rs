//! Hashes of whole shingles, for fingerprints that must agree with other programs.
//!
//! Both functions hash the UTF-8 bytes of the [`shingle_string`]. They take the plan's seed. With seed 0, they are the
//! published functions.

use crate::shingles::fmix64;

/// The tokens of a shingle, joined by one space.
pub fn shingle_string(tokens: &[String]) -> String {
    tokens.join(" ")
}

/// The strings of all shingles of `shingle` tokens, in document order and with repetitions.
///
/// If there are fewer tokens, the only string has all of them. Without tokens there are no strings.
///
/// # Panics
/// If `shingle` is 0.
pub fn shingle_strings(tokens: &[String], shingle: usize) -> Vec<String> {
    assert!(shingle > 0, "a shingle has at least one token");
    if tokens.is_empty() {
        return Vec::new();
    }
    tokens.windows(shingle.min(tokens.len())).map(shingle_string).collect()
}

/// FNV-1a with 64 bits. The seed is xored into the offset basis.
///
/// Source: Fowler, Noll and Vo, 1991. The Internet draft draft-eastlake-fnv has the full text.
pub fn fnv1a64(bytes: &[u8], seed: u64) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325 ^ seed;
    for &byte in bytes {
        hash ^= u64::from(byte);
        hash = hash.wrapping_mul(0x100_0000_01B3);
    }
    hash
}

/// `MurmurHash3_x64_128`: both halves of its result, `h1` and `h2`. Only `h1` becomes a feature.
///
/// Source: Appleby, MurmurHash3, 2011. Written from its description, with blocks of 16 bytes. The last block may be
/// shorter, and its missing bytes are zero.
pub fn murmur3_x64_128(bytes: &[u8], seed: u64) -> (u64, u64) {
    const C1: u64 = 0x87C3_7B91_1142_53D5;
    const C2: u64 = 0x4CF5_AD43_2745_937F;
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0_u64, |word, &byte| word << 8 | u64::from(byte));
    let (mut h1, mut h2) = (seed, seed);
    for block in bytes.chunks(16) {
        let k1 = word(&block[..block.len().min(8)]);
        let k2 = word(&block[block.len().min(8)..]);
        h1 ^= k1.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2);
        let full = block.len() == 16;
        if full {
            h1 = h1.rotate_left(27).wrapping_add(h2).wrapping_mul(5).wrapping_add(0x52DC_E729);
        }
        h2 ^= k2.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1);
        if full {
            h2 = h2.rotate_left(31).wrapping_add(h1).wrapping_mul(5).wrapping_add(0x3849_5AB5);
        }
    }
    h1 ^= bytes.len() as u64;
    h2 ^= bytes.len() as u64;
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    h1 = fmix64(h1);
    h2 = fmix64(h2);
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    (h1, h2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        assert_eq!(fnv1a64(b"foobar", 0), 0x8594_4171_F739_67E8);
        let woofs: Vec<u8> = "woof woof woof woof woof".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let (h1, h2) = murmur3_x64_128(&woofs, 0);
        assert_eq!((h1 as i64, h2 as i64), (7_638_079_586_852_243_959, 4_378_804_943_379_391_304));
    }

    #[test]
    fn three_words_of_a_sentence() {
        let tokens: Vec<String> = "the lazy dog barks".split(' ').map(String::from).collect();
        assert_eq!(shingle_strings(&tokens, 3), ["the lazy dog", "lazy dog barks"]);
        assert_eq!(shingle_strings(&tokens, 9), ["the lazy dog barks"]);
        assert!(shingle_strings(&[], 3).is_empty());
    }
}
