//! The constants of the MinHash functions, drawn from the seed.

use crate::hash::SplitMix64;

/// Rounds of bucketed MinHash. With four rounds, the variance at 50 to 500 features is about half the variance of classic
/// MinHash. A fifth round changes nothing that can be measured.
pub(crate) const ROUNDS: usize = 4;

/// The functions `factor * x + increment` modulo 2³², one pair of constants for each use.
#[derive(Clone, Debug)]
pub(crate) struct Parameters {
    /// For the rounds after the first.
    pub(crate) rounds: [Round; ROUNDS - 1],
    /// For every position.
    pub(crate) multipliers: Vec<u32>,
    pub(crate) increments: Vec<u32>,
}

/// The functions of one later round. The feature's high half gives the position, its low half the value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    pub(crate) bin: [u32; 2],
    pub(crate) value: [u32; 2],
}

impl Parameters {
    /// The parameters of signatures of `num_perm` values under `seed`.
    pub(crate) fn new(num_perm: usize, seed: u64) -> Self {
        let mut generator = SplitMix64(seed);
        // An odd factor makes the function a bijection: no two values collide.
        let mut pair = || [generator.next() as u32 | 1, generator.next() as u32];
        let rounds = std::array::from_fn(|_| Round { bin: pair(), value: pair() });
        let (multipliers, increments) = (0..num_perm).map(|_| pair()).map(|[a, b]| (a, b)).unzip();
        Parameters { rounds, multipliers, increments }
    }
}

/// The position of `feature` in a later `round`, among `size` positions.
#[inline(always)]
pub(crate) fn round_bin(feature: u64, parameters: &Parameters, round: usize, size: usize) -> usize {
    let [factor, increment] = parameters.rounds[round - 1].bin;
    let hash = factor.wrapping_mul((feature >> 32) as u32).wrapping_add(increment);
    ((u64::from(hash) * size as u64) >> 32) as usize
}

/// The value of `feature` in a later `round`: the round in the top three bits, then 29 bits of hash.
#[inline(always)]
pub(crate) fn round_value(feature: u64, parameters: &Parameters, round: usize) -> u32 {
    let [factor, increment] = parameters.rounds[round - 1].value;
    (round as u32) << 29 | factor.wrapping_mul(feature as u32).wrapping_add(increment) >> 3
}
