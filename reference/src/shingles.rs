//! Features of a document, computed from its token hashes.
//!
//! A shingle is a run of consecutive tokens, and its feature is a 64-bit hash of that run. The order of the tokens
//! counts, and so do the boundaries between them. The place of the run in the document does not count.

/// The multiplier of every polynomial here.
///
/// It is odd, and therefore invertible modulo 2^64, and spectrally good: Steele & Vigna, "Computationally easy,
/// spectrally good multipliers for congruential pseudorandom number generators", 2021, table for 2^64.
pub const POLYNOMIAL_BASE: u64 = 0xD134_2543_DE82_EF95;

/// `Σ values[j] · P^(n-1-j)` modulo 2^64, with n the number of values and P the [`POLYNOMIAL_BASE`].
pub fn polynomial(values: &[u64]) -> u64 {
    let mut sum = 0_u64;
    for (j, value) in values.iter().enumerate() {
        let exponent = (values.len() - 1 - j) as u32;
        sum = sum.wrapping_add(value.wrapping_mul(POLYNOMIAL_BASE.wrapping_pow(exponent)));
    }
    sum
}

/// MurmurHash3's 64-bit finaliser: a bijection in which every input bit affects every output bit.
///
/// Source: Appleby, MurmurHash3, `fmix64`.
pub fn fmix64(mut h: u64) -> u64 {
    h ^= h >> 33;
    h = h.wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    h ^= h >> 33;
    h = h.wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    h ^ (h >> 33)
}

/// The feature of every shingle of `shingle` tokens, in document order and with repetitions.
///
/// A document with fewer tokens has a single shingle of all its tokens. A document without tokens has none.
///
/// # Panics
/// If `shingle` is 0.
pub fn features(token_hashes: &[u64], shingle: usize) -> Vec<u64> {
    assert!(shingle > 0, "a shingle has at least one token");
    if token_hashes.is_empty() {
        return Vec::new();
    }
    let length = shingle.min(token_hashes.len());
    token_hashes.windows(length).map(|run| fmix64(polynomial(run))).collect()
}

/// The features as a set: sorted and distinct.
pub fn feature_set(features: &[u64]) -> Vec<u64> {
    let mut set = features.to_vec();
    set.sort_unstable();
    set.dedup();
    set
}

/// The high 32 bits of a feature.
pub fn high(feature: u64) -> u32 {
    (feature >> 32) as u32
}

/// The low 32 bits of a feature.
pub fn low(feature: u64) -> u32 {
    feature as u32
}

/// The content identity of a document: equal for documents with the same shingles equally often, in any order.
///
/// Different documents share it only if two 64-bit sums agree by chance at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContentIdentity {
    /// The number of shingles, with repetitions.
    pub shingles: u64,
    /// `s1`: the sum of the features modulo 2^64, with repetitions.
    pub sum: u64,
    /// `s2`: the sum of `high · low` of the features modulo 2^64, with repetitions.
    pub product_sum: u64,
}

/// The content identity of a document from its features in document order.
pub fn content_identity(features: &[u64]) -> ContentIdentity {
    let mut identity = ContentIdentity::default();
    for &feature in features {
        let product = u64::from(high(feature)) * u64::from(low(feature));
        identity.shingles += 1;
        identity.sum = identity.sum.wrapping_add(feature);
        identity.product_sum = identity.product_sum.wrapping_add(product);
    }
    identity
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomial_of_three_values_is_horners_rule() {
        let p = POLYNOMIAL_BASE;
        let horner = 7_u64.wrapping_mul(p).wrapping_add(8).wrapping_mul(p).wrapping_add(9);
        assert_eq!(polynomial(&[7, 8, 9]), horner);
        assert_eq!(polynomial(&[]), 0);
    }

    /// Undoing the finaliser step by step restores the input. `x ^ (x >> 33)` is its own inverse, as 33 is more than
    /// half of 64. The multipliers are inverted by Newton's iteration.
    #[test]
    fn fmix64_is_a_bijection() {
        let inverse =
            |odd: u64| (0..6).fold(odd, |x, _| x.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(x))));
        for h in [0, 1, 0x8000_0000_0000_0000, POLYNOMIAL_BASE, u64::MAX] {
            let mut back = fmix64(h);
            back ^= back >> 33;
            back = back.wrapping_mul(inverse(0xC4CE_B9FE_1A85_EC53));
            back ^= back >> 33;
            back = back.wrapping_mul(inverse(0xFF51_AFD7_ED55_8CCD));
            back ^= back >> 33;
            assert_eq!(back, h);
        }
    }

    #[test]
    fn each_further_token_of_a_shingle_makes_one_shingle_less() {
        let tokens: Vec<u64> = (1..=9).collect();
        for (shingle, count) in [(1, 9), (2, 8), (5, 5), (9, 1), (10, 1)] {
            assert_eq!(features(&tokens, shingle).len(), count);
        }
        assert_eq!(features(&[], 5), []);
    }

    #[test]
    fn a_short_document_is_one_shingle_at_any_shingle_length() {
        assert_eq!(features(&[3, 4], 5), features(&[3, 4], 2));
        assert_eq!(features(&[3, 4], 5), [fmix64(polynomial(&[3, 4]))]);
    }

    #[test]
    fn the_order_of_tokens_counts() {
        assert_ne!(features(&[3, 4], 2), features(&[4, 3], 2));
    }

    #[test]
    fn identity_counts_repetitions_and_ignores_order() {
        // High 1, low 2, and high 3, low 4: products 2 and 12.
        let (a, b) = (0x1_0000_0002, 0x3_0000_0004);
        let expected = ContentIdentity { shingles: 3, sum: 0x5_0000_0008, product_sum: 16 };
        assert_eq!(content_identity(&[a, b, a]), expected);
        assert_eq!(content_identity(&[a, a, b]), expected);
        assert_eq!(feature_set(&[b, a, b]), [a, b]);
    }
}
