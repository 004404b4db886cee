//! Work shared out in another order than its own.

use lookalike::Executor;

/// As many parts at a time, the last one first, as threads might.
pub(crate) struct Backwards(pub(crate) usize);

impl Executor for Backwards {
    fn width(&self) -> usize {
        self.0
    }

    fn map<T: Send>(&self, parts: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let mut done: Vec<T> = (0..parts).rev().map(work).collect();
        done.reverse();
        done
    }
}
