//! The threads of the pool, for parts of `core` that can use some.

use lookalike::Spread;
use rayon::prelude::*;

/// Spreads work over the current pool.
pub(crate) struct Threads;

impl Spread for Threads {
    fn width(&self) -> usize {
        rayon::current_num_threads()
    }

    fn spread<T: Send>(&self, parts: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
        (0..parts).into_par_iter().map(&work).collect()
    }
}
