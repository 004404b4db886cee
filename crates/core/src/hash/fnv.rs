//! FNV-1a of 64 bits: slow, poorly mixed, and what many SimHash libraries take.
//!
//! Source: Fowler, Noll and Vo, 1991; in full in the Internet draft draft-eastlake-fnv.

/// The state before the first byte.
const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;

/// 2⁴⁰ + 2⁸ + 0xb3.
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// FNV-1a of `bytes`. A `seed` other than 0, which the published function does not have, changes the first state.
pub(crate) fn fnv1a64(bytes: &[u8], seed: u64) -> u64 {
    bytes.iter().fold(OFFSET_BASIS ^ seed, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the table of the authors' own tests.
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
