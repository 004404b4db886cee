//! Winnowing: chooses few grams of a sequence by their hashes. Equal parts of two sequences choose the same grams.

use crate::hash::{POLYNOMIAL, fmix64};
use std::collections::VecDeque;

/// A chosen gram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Seed {
    pub(super) hash: u64,
    /// The place of its first token.
    pub(super) at: usize,
}

/// The seeds of `tokens`, in order. Every `least` consecutive tokens hold one.
///
/// A gram has one token more than half of `least`. Among the grams within `least` tokens, the one with the smallest
/// hash is chosen, or the last of several. Longer grams would occur in fewer other places, and shorter ones would be
/// chosen less often.
pub(super) fn seeds(tokens: &[u64], least: usize) -> Vec<Seed> {
    let gram = least / 2 + 1;
    let window = least - gram + 1;
    let mut chosen: Vec<Seed> = Vec::new();
    // Grams that may still become the smallest of a window. Their hashes ascend.
    let mut waiting: VecDeque<Seed> = VecDeque::new();
    for seed in grams(tokens, gram) {
        while waiting.back().is_some_and(|back| back.hash >= seed.hash) {
            waiting.pop_back();
        }
        waiting.push_back(seed);
        while waiting.front().is_some_and(|front| front.at + window <= seed.at) {
            waiting.pop_front();
        }
        if let Some(front) = waiting.front().filter(|_| seed.at + 1 >= window)
            && chosen.last() != Some(front)
        {
            chosen.push(*front);
        }
    }
    chosen
}

/// The grams of `length` tokens, by a rolling polynomial.
fn grams(tokens: &[u64], length: usize) -> impl Iterator<Item = Seed> {
    let highest = (1..length).fold(1_u64, |power, _| power.wrapping_mul(POLYNOMIAL));
    let mut sum = 0_u64;
    tokens.iter().enumerate().filter_map(move |(end, &token)| {
        if let Some(first) = end.checked_sub(length) {
            sum = sum.wrapping_sub(tokens[first].wrapping_mul(highest));
        }
        sum = sum.wrapping_mul(POLYNOMIAL).wrapping_add(token);
        let at = (end + 1).checked_sub(length)?;
        Some(Seed { hash: fmix64(sum), at })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    proptest! {
        #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn each_stretch_chooses_the_same_seed_in_any_context(
            before in prop::collection::vec(0_u64..4, 0..20),
            after in prop::collection::vec(0_u64..4, 0..20),
            shared in prop::collection::vec(0_u64..4, 1..12),
        ) {
            let least = shared.len();
            let alone = seeds(&shared, least);
            prop_assert_eq!(alone.len(), 1);
            let around = seeds(&[&before[..], &shared, &after].concat(), least);
            let moved = Seed { at: before.len() + alone[0].at, ..alone[0] };
            prop_assert!(around.contains(&moved));
            prop_assert!(around.windows(2).all(|pair| pair[0].at < pair[1].at));
        }
    }

    #[test]
    fn about_a_third_of_random_tokens_are_chosen() {
        let tokens: Vec<u64> = (0..30_000).map(fmix64).collect();
        // The density is 2 / (window + 1).
        let chosen = seeds(&tokens, 9).len();
        assert!((9_500..10_500).contains(&chosen), "{chosen}");
    }
}
