//! The interface by which callers run this crate's work on their threads.

/// Runs the parts of a task, one after the other or at the same time.
///
/// This crate starts no threads. A program that has threads passes them in as an executor. The results do not depend on
/// the executor.
pub trait Executor {
    /// The number of parts that run at the same time.
    fn width(&self) -> usize;

    /// Returns the results of `work` for `0..parts`, in that order.
    fn map<T: Send>(&self, parts: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T>;
}

/// Runs one part after the other, on the calling thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sequential;

impl Executor for Sequential {
    fn width(&self) -> usize {
        1
    }

    fn map<T: Send>(&self, parts: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
        (0..parts).map(work).collect()
    }
}
