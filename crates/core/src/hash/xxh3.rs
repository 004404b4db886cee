//! XXH3 for inputs of up to 16 bytes, with its three size classes kept apart as the vector kernels need them.
//!
//! Words are short: nine of ten have at most 16 bytes. Longer ones go to the `xxhash-rust` crate.
//!
//! Source: Collet, "XXH3 specification", xxHash 0.8.

/// The keys that XXH3 derives from the seed for inputs of 1 to 16 bytes.
#[derive(Clone, Copy)]
pub(crate) struct DerivedKeys {
    pub(crate) up_to_3: u64,
    pub(crate) up_to_8: u64,
    pub(crate) up_to_16: [u64; 2],
}

pub(crate) const PRIME64_2: u64 = 0xc2b2_ae3d_27d4_eb4f;
pub(crate) const PRIME64_3: u64 = 0x1656_67b1_9e37_79f9;
pub(crate) const PRIME_MX1: u64 = 0x1656_6791_9e37_79f9;
pub(crate) const PRIME_MX2: u64 = 0x9fb2_1c65_1e98_df25;

/// The first 56 bytes of XXH3's default secret, as little-endian words.
const SECRET: [u64; 7] = [
    0xbe4b_a423_396c_feb8,
    0x1cad_21f7_2c81_017c,
    0xdb97_9083_e96d_d4de,
    0x1f67_b3b7_a4a4_4072,
    0x78e5_c0cc_4ee6_79cb,
    0x2172_ffcc_7dd0_5a82,
    0x8e24_43f7_7446_08b8,
];

impl DerivedKeys {
    /// The keys of `seed`.
    pub(crate) fn new(seed: u64) -> Self {
        let halves = (SECRET[0] as u32) ^ ((SECRET[0] >> 32) as u32);
        let middle_seed = seed ^ (u64::from((seed as u32).swap_bytes()) << 32);
        DerivedKeys {
            up_to_3: u64::from(halves).wrapping_add(seed),
            up_to_8: (SECRET[1] ^ SECRET[2]).wrapping_sub(middle_seed),
            up_to_16: [
                (SECRET[3] ^ SECRET[4]).wrapping_add(seed),
                (SECRET[5] ^ SECRET[6]).wrapping_sub(seed),
            ],
        }
    }
}

/// The 64-bit XXH3 hash of `token` under `seed`. `keys` are the keys of the seed.
#[inline(always)]
pub(crate) fn hash(token: &[u8], seed: u64, keys: &DerivedKeys) -> u64 {
    let length = token.len();
    match length {
        1..=3 => {
            let middle = token[length >> 1];
            let combined = u64::from(token[0]) << 16
                | u64::from(middle) << 24
                | u64::from(token[length - 1])
                | (length as u64) << 8;
            let mut hash = combined ^ keys.up_to_3;
            hash = (hash ^ (hash >> 33)).wrapping_mul(PRIME64_2);
            hash = (hash ^ (hash >> 29)).wrapping_mul(PRIME64_3);
            hash ^ (hash >> 32)
        }
        4..=8 => {
            let first = u64::from(u32::from_le_bytes(array(token, 0)));
            let last = u64::from(u32::from_le_bytes(array(token, length - 4)));
            let mut hash = last.wrapping_add(first << 32) ^ keys.up_to_8;
            hash ^= hash.rotate_left(49) ^ hash.rotate_left(24);
            hash = hash.wrapping_mul(PRIME_MX2);
            hash ^= (hash >> 35).wrapping_add(length as u64);
            hash = hash.wrapping_mul(PRIME_MX2);
            hash ^ (hash >> 28)
        }
        9..=16 => {
            let low = u64::from_le_bytes(array(token, 0)) ^ keys.up_to_16[0];
            let high = u64::from_le_bytes(array(token, length - 8)) ^ keys.up_to_16[1];
            let product = u128::from(low) * u128::from(high);
            let mut hash = (length as u64)
                .wrapping_add(low.swap_bytes())
                .wrapping_add(high)
                .wrapping_add(product as u64 ^ (product >> 64) as u64);
            hash = (hash ^ (hash >> 37)).wrapping_mul(PRIME_MX1);
            hash ^ (hash >> 32)
        }
        _ => xxhash_rust::xxh3::xxh3_64_with_seed(token, seed),
    }
}

#[inline(always)]
fn array<const N: usize>(token: &[u8], at: usize) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.copy_from_slice(&token[at..at + N]);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_equals_the_published_algorithm() {
        let bytes: Vec<u8> = (0..300_u32).map(|i| (i * 37 + 11) as u8).collect();
        for seed in [0, 1, 42, u64::MAX, 0x0123_4567_89ab_cdef] {
            let keys = DerivedKeys::new(seed);
            for length in 0..bytes.len() {
                let token = &bytes[..length];
                let expected = xxhash_rust::xxh3::xxh3_64_with_seed(token, seed);
                assert_eq!(hash(token, seed, &keys), expected, "length {length}, seed {seed}");
            }
        }
    }
}
