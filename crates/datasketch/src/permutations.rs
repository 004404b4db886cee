//! The permutations of a seed, which sketches share.

use lookalike::sketch::{PermutationScheme, Permutations};
use std::sync::{Arc, Mutex, PoisonError};

/// Sets of permutations that are kept. Programs use one or two.
const KEPT: usize = 8;

type PermutationsKey = (PermutationScheme, usize, u32);

static SHARED: Mutex<Vec<(PermutationsKey, Arc<Permutations>)>> = Mutex::new(Vec::new());

/// `num_perm` permutations of `seed`. To draw them takes longer than to sketch a text, so the last ones are kept.
pub(crate) fn shared(scheme: PermutationScheme, num_perm: usize, seed: u32) -> Arc<Permutations> {
    let key = (scheme, num_perm, seed);
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(place) = shared.iter().position(|(other, _)| *other == key) {
        // The last one used is found first.
        shared[..=place].rotate_right(1);
        return Arc::clone(&shared[0].1);
    }
    let drawn = Arc::new(Permutations::new(scheme, num_perm, seed));
    shared.truncate(KEPT - 1);
    shared.insert(0, (key, Arc::clone(&drawn)));
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutations_are_those_of_their_seed_however_many_are_kept() {
        for round in 0..2 {
            for seed in 0..2 * KEPT as u32 {
                let shared = shared(PermutationScheme::Affine32, 5, seed);
                let drawn = Permutations::new(PermutationScheme::Affine32, 5, seed);
                assert_eq!(shared.parameters(), drawn.parameters(), "round {round}, seed {seed}");
            }
        }
        assert!(SHARED.lock().unwrap().len() <= KEPT);
    }

    #[test]
    fn the_last_permutations_are_shared() {
        // Other tests draw permutations, too, and push out these only if they draw many in between.
        let is_shared = || {
            let first = shared(PermutationScheme::Legacy, 3, 99);
            Arc::ptr_eq(&first, &shared(PermutationScheme::Legacy, 3, 99))
        };
        assert!((0..100).any(|_| is_shared()));
    }
}
