//! MurmurHash3 for 64-bit machines, with 128 bits of result.
//!
//! Source: Appleby, MurmurHash3, `MurmurHash3_x64_128`, 2011.

use super::fmix64;

const FACTORS: [u64; 2] = [0x87c3_7b91_1142_53d5, 0x4cf5_ad43_2745_937f];

/// The two halves of the hash of `bytes`, in the order in which they are written.
///
/// The published function takes a seed of 32 bits and starts both halves with it. Here the seed may have 64 bits.
pub(crate) fn murmur3_x64_128(bytes: &[u8], seed: u64) -> [u64; 2] {
    let [mut first, mut second] = [seed; 2];
    let (blocks, rest) = bytes.as_chunks::<16>();
    for block in blocks {
        let [low, high] = halves(block);
        first = (first ^ scramble_first(low)).rotate_left(27).wrapping_add(second);
        first = first.wrapping_mul(5).wrapping_add(0x52dc_e729);
        second = (second ^ scramble_second(high)).rotate_left(31).wrapping_add(first);
        second = second.wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }
    // Padding zeros do no harm, as a half of zeros is scrambled to zero.
    let mut last = [0; 16];
    last[..rest.len()].copy_from_slice(rest);
    let [low, high] = halves(&last);
    let length = bytes.len() as u64;
    first ^= scramble_first(low) ^ length;
    second ^= scramble_second(high) ^ length;
    first = first.wrapping_add(second);
    second = second.wrapping_add(first);
    (first, second) = (fmix64(first), fmix64(second));
    first = first.wrapping_add(second);
    [first, second.wrapping_add(first)]
}

fn scramble_first(word: u64) -> u64 {
    word.wrapping_mul(FACTORS[0]).rotate_left(31).wrapping_mul(FACTORS[1])
}

fn scramble_second(word: u64) -> u64 {
    word.wrapping_mul(FACTORS[1]).rotate_left(33).wrapping_mul(FACTORS[0])
}

fn halves(block: &[u8; 16]) -> [u64; 2] {
    let whole = u128::from_le_bytes(*block);
    [whole as u64, (whole >> 64) as u64]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values asserted by Lucene's `MinHashFilterTest`.
    #[test]
    fn hashes_agree_with_lucene() {
        let signed = |bytes: &[u8]| murmur3_x64_128(bytes, 0).map(u64::cast_signed);
        assert_eq!(signed(&[0; 4]), [-3_485_513_579_396_041_028, 6_383_328_099_726_337_777]);
        let woofs: Vec<u8> = "woof woof woof woof woof".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(signed(&woofs), [7_638_079_586_852_243_959, 4_378_804_943_379_391_304]);
    }

    /// SMHasher's own check: hashes of 0, 1, 2 ... bytes under seeds 256, 255 ..., hashed together.
    #[test]
    fn the_verification_value_is_the_published_one() {
        let key: Vec<u8> = (0..=255).collect();
        let hash = |bytes: &[u8], seed| murmur3_x64_128(bytes, seed).map(u64::to_le_bytes).concat();
        let hashes: Vec<u8> = (0..256).flat_map(|length| hash(&key[..length], 256 - length as u64)).collect();
        assert_eq!(hash(&hashes, 0)[..4], 0x6384_ba69_u32.to_le_bytes());
    }
}
