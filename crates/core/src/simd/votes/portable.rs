//! Votes without vectors.

use super::{BLOCK, Lanes};
use crate::hash::second_half_of;

/// Two words. Compilers use the 128-bit vectors that every 64-bit machine has.
type WordPair = [u64; 2];

impl Lanes for WordPair {
    const COUNT: usize = 2;

    #[inline(always)]
    fn zero() -> Self {
        [0; 2]
    }

    #[inline(always)]
    fn load(block: &[u64; BLOCK], at: usize) -> Self {
        [block[at], block[at + 1]]
    }

    #[inline(always)]
    fn load_where(block: &[u64; BLOCK], weights: &[u32; BLOCK], digit: u32, at: usize) -> Self {
        std::array::from_fn(|lane| {
            let present = u64::from(weights[at + lane] >> digit & 1);
            block[at + lane] & present.wrapping_neg()
        })
    }

    #[inline(always)]
    fn add(self, b: Self, c: Self) -> (Self, Self) {
        let (mut sum, mut carry) = ([0; 2], [0; 2]);
        for lane in 0..2 {
            let half = self[lane] ^ b[lane];
            sum[lane] = half ^ c[lane];
            carry[lane] = self[lane] & b[lane] | half & c[lane];
        }
        (sum, carry)
    }

    #[inline(always)]
    fn rotate<const BY: usize>(self) -> Self {
        [self[1], self[0]]
    }

    #[inline(always)]
    fn first(self) -> u64 {
        self[0]
    }
}

pub(in crate::simd) fn votes(features: &[u64], least: u64) -> u64 {
    super::votes::<WordPair>(features, least)
}

pub(in crate::simd) fn weighted_votes(features: &[u64], weights: &[u32], total: u64, least: u64) -> u64 {
    super::weighted_votes::<WordPair>(features, weights, total, least)
}

#[inline(always)]
pub(in crate::simd) fn second_half(features: &[u64], halves: &mut Vec<u64>) {
    halves.clear();
    halves.extend(features.iter().map(|&feature| second_half_of(feature)));
}
