//! How work is shared out: by whoever has threads.

/// Does parts of a piece of work, one after the other or at the same time.
///
/// This crate has no threads. A driver that has gives them by this; results do not depend on it.
pub trait Executor {
    /// How many parts are done at the same time.
    fn width(&self) -> usize;

    /// What `work` gives for each of `0..parts`, in that order.
    fn map<T: Send>(&self, parts: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T>;
}

/// One part after the other.
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
