//! SimHash fingerprints of a document, and the weights of its features.
//!
//! Every feature votes on every bit with its weight: for the bit if the feature's own bit is 1, and against it if it is
//! 0.
//!
//! Source: Charikar, "Similarity estimation techniques from rounding algorithms", 2002.

use std::collections::BTreeMap;

use crate::shingles::fmix64;

/// The value of a bit with as much weight for it as against it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// The bit is 0.
    Zero,
    /// The bit is 1.
    One,
}

/// The weight of a feature.
#[derive(Clone, Debug)]
pub enum Weights {
    /// 1, for any number of occurrences.
    Set,
    /// The number of occurrences: `tf`.
    Tf,
    /// `(1 + log2 tf) * 128`, rounded down.
    LogTf,
    /// `tf` times the [`idf`] of the number of documents and the frequency of the feature, which is 0 if it is not
    /// listed.
    TfIdf {
        /// The number of documents.
        documents: u64,
        /// The number of documents that have each feature.
        frequencies: BTreeMap<u64, u32>,
    },
    /// `tf` times the level of the feature.
    Levels {
        /// The levels of some features.
        levels: BTreeMap<u64, u8>,
        /// The level of all other features.
        others: u8,
    },
}

/// Every distinct feature of a document with its weight.
pub fn weigh(features: &[u64], weights: &Weights) -> Vec<(u64, u64)> {
    let mut counts: BTreeMap<u64, u32> = BTreeMap::new();
    for &feature in features {
        *counts.entry(feature).or_default() += 1;
    }
    let weight = |feature: u64, tf: u32| match weights {
        Weights::Set => 1,
        Weights::Tf => u64::from(tf),
        Weights::LogTf => log_weight(tf),
        Weights::TfIdf { documents, frequencies } => {
            u64::from(tf) * idf(*documents, frequencies.get(&feature).copied().unwrap_or(0))
        }
        Weights::Levels { levels, others } => {
            u64::from(tf) * u64::from(levels.get(&feature).copied().unwrap_or(*others))
        }
    };
    counts.into_iter().map(|(feature, tf)| (feature, weight(feature, tf))).collect()
}

/// The fingerprint with 64 bits. Bit `i` is 1 if `Σ weight · (2 · bit i of the feature − 1)` is above zero, or if it is
/// zero and ties become 1.
///
/// Without features, all sums are zero.
pub fn fingerprint64(weighted: &[(u64, u64)], tie: Tie) -> u64 {
    let mut fingerprint = 0;
    for bit in 0..64 {
        let mut sum = 0_i128;
        for &(feature, weight) in weighted {
            match feature >> bit & 1 {
                1 => sum += i128::from(weight),
                _ => sum -= i128::from(weight),
            }
        }
        if sum > 0 || (sum == 0 && tie == Tie::One) {
            fingerprint |= 1 << bit;
        }
    }
    fingerprint
}

/// The fingerprint with 128 bits. The low half is [`fingerprint64`], and the high half uses the [`second_half`] of each
/// feature.
pub fn fingerprint128(weighted: &[(u64, u64)], tie: Tie) -> u128 {
    let second: Vec<(u64, u64)> = weighted.iter().map(|&(x, weight)| (second_half(x), weight)).collect();
    u128::from(fingerprint64(&second, tie)) << 64 | u128::from(fingerprint64(weighted, tie))
}

/// The second 64 bits of a feature. The constant is the first 64 bits of the fraction of π.
pub fn second_half(feature: u64) -> u64 {
    fmix64(feature ^ 0x243F_6A88_85A3_08D3)
}

/// `(1 + log2 count) * 128`, rounded down, for a count of at least 1.
///
/// `128 * log2 count` is `log2(count^128)`. Rounded down, that is one less than the number of binary digits of
/// `count^128`.
pub fn log_weight(count: u32) -> u64 {
    // The power, in digits of 32 bits, the lowest first.
    let mut power = vec![1_u32];
    for _ in 0..128 {
        let mut carry = 0;
        for digit in &mut power {
            let product = u64::from(*digit) * u64::from(count) + carry;
            *digit = product as u32;
            carry = product >> 32;
        }
        if carry > 0 {
            power.push(carry as u32);
        }
    }
    let top = power.last().expect("a power has a digit");
    128 + 32 * (power.len() as u64 - 1) + u64::from(top.ilog2())
}

/// `ln(documents / (frequency + 1)) * 2^20`, rounded, or 0 if that is negative or there are no documents.
///
/// In integers it is the difference of both [`log2`], times `ln 2 · 2^32` rounded, divided by `2^44` and rounded to the nearest.
pub fn idf(documents: u64, frequency: u32) -> u64 {
    let (above, below) = (log2(documents.max(1)), log2(u64::from(frequency) + 1));
    if above <= below { 0 } else { ((u128::from(above - below) * 2_977_044_472 + (1 << 43)) >> 44) as u64 }
}

/// `log2 number * 2^32` for a number of at least 1, by squaring.
///
/// The integer digits are the place of the highest bit. The rest is a number from 1 to 2, held with 63 fractional
/// digits. Each squaring, rounded down, gives one more digit: 1 if the square is at least 2. The square is then halved,
/// rounded down.
pub fn log2(number: u64) -> u64 {
    let mut digits = u64::from(number.ilog2());
    let mut rest = u128::from(number) << (63 - number.ilog2());
    for _ in 0..32 {
        rest = (rest * rest) >> 63;
        digits *= 2;
        if rest >= 1 << 64 {
            rest /= 2;
            digits += 1;
        }
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_alone_is_its_fingerprint() {
        assert_eq!(fingerprint64(&[(0xABCD, 3)], Tie::Zero), 0xABCD);
        assert_eq!(fingerprint64(&[(0xABCD, 0)], Tie::Zero), 0);
        assert_eq!(fingerprint64(&[], Tie::One), u64::MAX);
    }

    #[test]
    fn two_against_one() {
        assert_eq!(fingerprint64(&[(0b0011, 1), (0b0101, 1), (0b1001, 1)], Tie::Zero), 0b0001);
        assert_eq!(fingerprint64(&[(0b0011, 2), (0b0101, 1), (0b1001, 1)], Tie::Zero), 0b0001);
        assert_eq!(fingerprint64(&[(0b0011, 2), (0b1101, 2)], Tie::One) & 0b1111, 0b1111);
    }

    #[test]
    fn weights_of_known_counts() {
        assert_eq!([1, 2, 3, 4, 1024].map(log_weight), [128, 256, 330, 384, 1408]);
        assert_eq!([0, 9, 999, 1000].map(|frequency| idf(1000, frequency)), [7_243_306, 4_828_871, 0, 0]);
    }
}
