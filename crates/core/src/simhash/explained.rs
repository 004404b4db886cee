//! How the fingerprint of a text is made: its features, how they vote, and the sums of their votes.
//!
//! It is for readers, and for authors of another program that must give the same bits. The fingerprint comes from the
//! kernels, like every other one, and the sums are counted here one by one. Tests compare the two.

use super::{Fingerprint, Fingerprinter};
use crate::hash::second_half_of;
use crate::plan::Bits;
use std::collections::HashMap;

/// A fingerprint, with all that it was made of.
#[derive(Clone, Debug)]
pub struct ExplainedFingerprint {
    /// The number of tokens in the text, with stop words.
    pub tokens: usize,
    /// How many of them are stop words, which are in no feature.
    pub stop_words: usize,
    /// The distinct features, in the order of their first occurrences.
    pub features: Vec<ExplainedFeature>,
    /// The sum of each bit, the lowest bit first: the weights of the features that have the bit, minus those of the
    /// others.
    pub sums: Vec<i128>,
    /// The fingerprint.
    pub fingerprint: Fingerprint,
}

/// A feature, with its vote.
#[derive(Clone, Debug)]
pub struct ExplainedFeature {
    /// The tokens of the shingle, joined by one space.
    pub shingle: String,
    /// The hash, with as many bits as the fingerprint. The low 64 are the feature itself, or its hash in a table.
    pub hash: u128,
    /// How often the text has the feature.
    pub count: u32,
    /// Its weight in the text.
    pub weight: u32,
}

impl Fingerprinter {
    /// The distinct features of a document with these `features`, and the sum of each bit. The `shingles` are what the
    /// features are hashes of, in the same order. A feature votes by the bits of `hash_of` it.
    pub(crate) fn explain<'a>(
        &mut self,
        shingles: impl Iterator<Item = &'a str>,
        features: &[u64],
        hash_of: impl Fn(u64) -> u64,
    ) -> (Vec<ExplainedFeature>, Vec<i128>) {
        let mut weighed = Vec::new();
        self.weigh(features, &mut weighed);
        let weights: HashMap<u64, u32> = weighed.into_iter().collect();
        let mut indexes = HashMap::new();
        let mut explained: Vec<ExplainedFeature> = Vec::with_capacity(weights.len());
        for (shingle, feature) in shingles.zip(features) {
            let index = *indexes.entry(feature).or_insert(explained.len());
            if index == explained.len() {
                let (shingle, hash, weight) =
                    (shingle.to_owned(), self.hash_bits(hash_of(*feature)), weights[feature]);
                explained.push(ExplainedFeature { shingle, hash, count: 0, weight });
            }
            explained[index].count += 1;
        }
        let sum = |bit: u32| {
            let votes = explained.iter().map(|feature| match feature.hash >> bit & 1 {
                1 => i128::from(feature.weight),
                _ => -i128::from(feature.weight),
            });
            votes.sum()
        };
        let sums = (0..self.bits.count()).map(sum).collect();
        (explained, sums)
    }

    /// The bits of a vote by `hash`.
    fn hash_bits(&self, hash: u64) -> u128 {
        let high = match self.bits {
            Bits::B64 => 0,
            Bits::B128 => second_half_of(hash),
        };
        u128::from(high) << 64 | u128::from(hash)
    }
}
