//! FNV-1a with 64 bits: slow, poorly mixed, and common in SimHash libraries.
//!
//! Source: Fowler, Noll and Vo, 1991. The Internet draft draft-eastlake-fnv has the full text.

/// The state before the first byte.
const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;

/// 2⁴⁰ + 2⁸ + 0xb3.
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// The FNV-1a hash of `bytes`. The published function has no seed. A `seed` other than 0 changes the first state.
pub(crate) fn fnv1a64(bytes: &[u8], seed: u64) -> u64 {
    bytes.iter().fold(OFFSET_BASIS ^ seed, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the table in the authors' own tests.
    #[test]
    fn hashes_are_the_published_ones() {
        for (text, hash) in [
            ("", 0xcbf2_9ce4_8422_2325),
            ("a", 0xaf63_dc4c_8601_ec8c),
            ("b", 0xaf63_df4c_8601_f1a5),
            ("foobar", 0x8594_4171_f739_67e8),
        ] {
            assert_eq!(fnv1a64(text.as_bytes(), 0), hash, "{text}");
        }
    }
}
