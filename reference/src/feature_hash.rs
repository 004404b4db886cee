//! Hashes of whole shingles, for fingerprints that must agree with other programs.
//!
//! All functions hash the UTF-8 bytes of the [`shingle_string`]. They take the plan's seed. With seed 0, they are the
//! published functions, or the ends of them.

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

/// The last 8 bytes of [`md5`], as a number whose most significant byte comes first. A seed other than 0 is hashed before the
/// bytes, its lowest byte first.
pub fn md5_end(bytes: &[u8], seed: u64) -> u64 {
    end(&md5(&seeded(bytes, seed)))
}

/// The last 8 bytes of [`sha1`], in the same way.
pub fn sha1_end(bytes: &[u8], seed: u64) -> u64 {
    end(&sha1(&seeded(bytes, seed)))
}

fn seeded(bytes: &[u8], seed: u64) -> Vec<u8> {
    if seed == 0 { bytes.to_vec() } else { [&seed.to_le_bytes(), bytes].concat() }
}

fn end(digest: &[u8]) -> u64 {
    digest[digest.len() - 8..].iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// The bytes, a 1 bit, zeros, and the number of bits in 8 bytes, in blocks of 64.
fn padded(bytes: &[u8], length: [u8; 8]) -> Vec<u8> {
    let mut padded = [bytes, &[0x80]].concat();
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    [padded, length.to_vec()].concat()
}

/// MD5, of RFC 1321.
pub fn md5(bytes: &[u8]) -> Vec<u8> {
    const SHIFTS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];
    let mut state: [u32; 4] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476];
    for block in padded(bytes, (8 * bytes.len() as u64).to_le_bytes()).chunks(64) {
        let words: Vec<u32> =
            block.chunks(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect();
        let [mut a, mut b, mut c, mut d] = state;
        for step in 0..64 {
            let (mixed, word) = match step / 16 {
                0 => (b & c | !b & d, step),
                1 => (b & d | c & !d, (5 * step + 1) % 16),
                2 => (b ^ c ^ d, (3 * step + 5) % 16),
                _ => (c ^ (b | !d), 7 * step % 16),
            };
            let constant = ((step as f64 + 1.0).sin().abs() * 4_294_967_296.0) as u32;
            let sum = a.wrapping_add(mixed).wrapping_add(words[word]).wrapping_add(constant);
            (a, d, c, b) = (d, c, b, b.wrapping_add(sum.rotate_left(SHIFTS[step / 16][step % 4])));
        }
        for (state, add) in state.iter_mut().zip([a, b, c, d]) {
            *state = state.wrapping_add(add);
        }
    }
    state.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// SHA-1, of RFC 3174.
pub fn sha1(bytes: &[u8]) -> Vec<u8> {
    const CONSTANTS: [u32; 4] = [0x5A82_7999, 0x6ED9_EBA1, 0x8F1B_BCDC, 0xCA62_C1D6];
    let mut state: [u32; 5] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0];
    for block in padded(bytes, (8 * bytes.len() as u64).to_be_bytes()).chunks(64) {
        let mut words: Vec<u32> =
            block.chunks(4).map(|word| u32::from_be_bytes([word[0], word[1], word[2], word[3]])).collect();
        for step in 16..80 {
            let mixed = words[step - 3] ^ words[step - 8] ^ words[step - 14] ^ words[step - 16];
            words.push(mixed.rotate_left(1));
        }
        let [mut a, mut b, mut c, mut d, mut e] = state;
        for (step, &word) in words.iter().enumerate() {
            let mixed = match step / 20 {
                0 => b & c | !b & d,
                2 => b & c | b & d | c & d,
                _ => b ^ c ^ d,
            };
            let sum = a.rotate_left(5).wrapping_add(mixed).wrapping_add(e).wrapping_add(word);
            (a, b, c, d, e) = (sum.wrapping_add(CONSTANTS[step / 20]), a, b.rotate_left(30), c, d);
        }
        for (state, add) in state.iter_mut().zip([a, b, c, d, e]) {
            *state = state.wrapping_add(add);
        }
    }
    state.iter().flat_map(|word| word.to_be_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        assert_eq!(fnv1a64(b"foobar", 0), 0x8594_4171_F739_67E8);
        let hex = |digest: Vec<u8>| digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        assert_eq!(hex(md5(b"message digest")), "f96b697d7cb7938d525a2f31aaf161d0");
        assert_eq!(hex(sha1(b"abc")), "a9993e364706816aba3e25717850c26c9cd0d89d");
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
