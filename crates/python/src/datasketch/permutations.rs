//! The permutations of a seed, which sketches share.

use lookalike::sketch::{PermutationScheme, Permutations};
use std::sync::{Arc, Mutex, PoisonError};

/// Sets of permutations that are kept. Programs use one or two.
const KEPT: usize = 8;

type PermutationsKey = (PermutationScheme, usize, u32);

static SHARED: Mutex<Vec<(PermutationsKey, Arc<Permutations>)>> = Mutex::new(Vec::new());

/// `num_perm` permutations of `seed`. To draw them takes longer than to sketch a text, so the last ones are kept.
pub(super) fn shared(scheme: PermutationScheme, num_perm: usize, seed: u32) -> Arc<Permutations> {
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
