//! Hash functions: xxh3 of tokens, hashes of shingles for other programs, finalisers, and the generator of parameters.
//!
//! Not for: choosing what is hashed, which is done in `text` and `sketch`.

mod hashed_map;

pub(crate) mod digest;
pub(crate) mod fnv;
pub(crate) mod mersenne;
pub(crate) mod murmur3;
pub(crate) mod xxh3;

pub use hashed_map::{HashedKey, HashedMap};

/// MurmurHash3's 64-bit finaliser. It is a bijection, and every input bit flips every output bit with probability one
/// half.
///
/// Source: Appleby, MurmurHash3, 2011.
#[inline(always)]
pub(crate) fn fmix64(mut hash: u64) -> u64 {
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(FMIX64[0]);
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(FMIX64[1]);
    hash ^ (hash >> 33)
}

/// MurmurHash3's 32-bit finaliser, which is a bijection too.
#[inline(always)]
pub(crate) fn fmix32(mut hash: u32) -> u32 {
    hash ^= hash >> 16;
    hash = hash.wrapping_mul(0x85eb_ca6b);
    hash ^= hash >> 13;
    hash = hash.wrapping_mul(0xc2b2_ae35);
    hash ^ (hash >> 16)
}

/// The second 64 bits of a feature that has only 64: a bijection of it, independent enough to vote on its own.
#[inline(always)]
pub(crate) fn second_half_of(feature: u64) -> u64 {
    // Any pattern will do. Without one, 0 would stay 0, and features that only were finalised would be finalised twice.
    fmix64(feature ^ SECOND_HALF)
}

/// The first 64 bits of the fraction of π, a nothing-up-my-sleeve constant that Blowfish uses as well.
const SECOND_HALF: u64 = 0x243f_6a88_85a3_08d3;

/// The multipliers of [`fmix64`].
pub(crate) const FMIX64: [u64; 2] = [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53];

/// The factor of every polynomial hash here: shingles over token hashes, band keys over signature values.
///
/// Source: Steele and Vigna, "Computationally easy, spectrally good multipliers for congruential
/// pseudorandom number generators", 2021, table for 64 bits.
pub(crate) const POLYNOMIAL: u64 = 0xd134_2543_de82_ef95;

/// The generator of pseudorandom numbers for all parameters and samples. It holds its state, which starts as the seed.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
#[derive(Clone, Debug)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    /// The next number.
    #[allow(clippy::should_implement_trait, reason = "a generator has no end, and so no Option to return")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN_RATIO);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// 2⁶⁴ divided by the golden ratio: the increment of [`SplitMix64`], and the constant that makes bands differ.
pub(crate) const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix_gives_the_published_numbers() {
        let mut generator = SplitMix64(1_234_567);
        assert_eq!(generator.next(), 6_457_827_717_110_365_317);
        assert_eq!(generator.next(), 3_203_168_211_198_807_973);
    }
}
