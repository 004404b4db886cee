//! An executor that runs parts in reverse order.

use lookalike::Executor;
use std::convert::Infallible;

/// Runs the last part first. Its width is the given number.
pub(crate) struct Backwards(pub(crate) usize);

impl Executor for Backwards {
    type Stopped = Infallible;

    fn check(&self) -> Result<(), Infallible> {
        Ok(())
    }

    fn width(&self) -> usize {
        self.0
    }

    fn map<T: Send>(&self, parts: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let mut done: Vec<T> = (0..parts).rev().map(work).collect();
        done.reverse();
        done
    }
}
