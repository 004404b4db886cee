//! The kernels without vectors. They define the results of the other kernels, and run on machines without AVX2.

mod combine;
mod tokens;

pub(super) use self::combine::{combine, combine_by, double};
pub(super) use self::tokens::{
    AsciiBlock, Bytes, NormalisedWords, Whitespace, WordsRule, split, split_normalised_words,
    split_whitespace, split_words,
};
pub(super) use super::votes::portable::{second_half, votes, weighted_votes};

use crate::hash::xxh3;
use crate::simd::Spans;
use crate::simd::feature_table::{BucketSearch, FeatureBucket, FeatureTable};
use crate::simd::parameters::{Parameters, ROUNDS, round_bin, round_value};

#[inline(always)]
pub(super) fn hash_tokens(spans: &Spans, seed: u64, hashes: &mut Vec<u64>) {
    let keys = xxh3::DerivedKeys::new(seed);
    hashes.clear();
    hashes.extend(spans.tokens().map(|token| xxh3::hash(token, seed, &keys)));
}

struct Slots;

impl BucketSearch for Slots {
    #[inline(always)]
    fn slots(bucket: &FeatureBucket, feature: u64) -> u8 {
        (0..8).map(|i| u8::from(bucket.0[i] == feature) << i).sum()
    }
}

pub(super) fn distinct(table: &mut FeatureTable, features: &mut [u64]) -> usize {
    table.distinct::<Slots>(features)
}

pub(super) fn count_common(table: &FeatureTable, features: &[u64]) -> usize {
    table.count_common::<Slots>(features)
}

/// Buffers of the bucketed kernel, reused from document to document.
#[derive(Default)]
pub(crate) struct BucketBuffers {
    /// The features that fall into empty positions.
    pub(super) hits: Vec<u32>,
    /// Positions that no round filled, with the constants of their classic functions.
    positions: Vec<u32>,
    multipliers: Vec<u32>,
    increments: Vec<u32>,
    minima: Vec<u32>,
}

pub(super) fn bucketed(
    features: &[u64],
    parameters: &Parameters,
    buffers: &mut BucketBuffers,
    signature: &mut [u32],
) {
    first_round(features, signature);
    for round in 1..ROUNDS {
        if !signature.contains(&u32::MAX) {
            return;
        }
        later_round(features.iter().copied(), parameters, round, signature);
    }
    fill_empty(features, parameters, buffers, signature, lower_minima);
}

/// Round 0 needs no multiplication: features are finalised, so their halves are independent.
#[inline(always)]
pub(super) fn first_round(features: &[u64], signature: &mut [u32]) {
    #[inline(always)]
    fn fill(features: &[u64], signature: &mut [u32]) {
        let size = signature.len() as u64;
        signature.fill(u32::MAX);
        for &feature in features {
            let slot = &mut signature[(((feature >> 32) * size) >> 32) as usize];
            *slot = (*slot).min(feature as u32 >> 3);
        }
    }
    // If the compiler knows the size, the multiplication is a shift and bounds are not checked.
    match <&mut [u32; 128]>::try_from(&mut *signature) {
        Ok(usual) => fill(features, usual),
        Err(_) => fill(features, signature),
    }
}

#[inline(always)]
pub(super) fn later_round(
    features: impl Iterator<Item = u64>,
    parameters: &Parameters,
    round: usize,
    signature: &mut [u32],
) {
    let size = signature.len();
    for feature in features {
        // A value of an earlier round is smaller and stays, so no test for emptiness is needed.
        let slot = &mut signature[round_bin(feature, parameters, round, size)];
        *slot = (*slot).min(round_value(feature, parameters, round));
    }
}

/// Sets the positions that no round filled to their classic values.
#[inline(always)]
pub(super) fn fill_empty(
    features: &[u64],
    parameters: &Parameters,
    buffers: &mut BucketBuffers,
    signature: &mut [u32],
    lower_minima: impl Fn(&[u64], &[u32], &[u32], &mut [u32]),
) {
    let BucketBuffers { positions, multipliers, increments, minima, .. } = buffers;
    positions.clear();
    positions.extend((0..signature.len() as u32).filter(|&i| signature[i as usize] == u32::MAX));
    if positions.is_empty() || features.is_empty() {
        return;
    }
    multipliers.clear();
    multipliers.extend(positions.iter().map(|&i| parameters.multipliers[i as usize]));
    increments.clear();
    increments.extend(positions.iter().map(|&i| parameters.increments[i as usize]));
    minima.clear();
    minima.resize(positions.len(), u32::MAX);
    lower_minima(features, multipliers, increments, minima);
    for (&i, &minimum) in positions.iter().zip(minima.iter()) {
        signature[i as usize] = 0x8000_0000 | minimum >> 1;
    }
}

pub(super) use super::permuted::{lower_legacy, lower_wide};

/// Lowers `minima[i]` to the least value of `multipliers[i] * low half + increments[i]` over the features.
#[inline(always)]
pub(super) fn lower_minima(features: &[u64], multipliers: &[u32], increments: &[u32], minima: &mut [u32]) {
    for &feature in features {
        for ((minimum, &multiplier), &increment) in minima.iter_mut().zip(multipliers).zip(increments) {
            let value = multiplier.wrapping_mul(feature as u32).wrapping_add(increment);
            *minimum = (*minimum).min(value);
        }
    }
}
