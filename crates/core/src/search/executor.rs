//! The interface by which callers run this crate's work on their threads, and stop it.

use std::convert::Infallible;

/// Runs the parts of a task, one after the other or at the same time.
///
/// This crate starts no threads. A program that has threads passes them in as an executor. The results do not depend on
/// the executor.
///
/// A task asks [`Executor::check`] between its parts, and every few thousand documents within them. So a program can
/// stop it.
pub trait Executor: Sync {
    /// The error of a task that was stopped. [`Infallible`] for an executor that stops none.
    type Stopped: Send;

    /// The number of parts that run at the same time.
    fn width(&self) -> usize;

    /// Returns the results of `work` for `0..parts`, in that order.
    fn map<T: Send>(&self, parts: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T>;

    /// Returns an error if the task is to stop.
    ///
    /// # Errors
    /// [`Executor::Stopped`]. The task then ends with this error.
    fn check(&self) -> Result<(), Self::Stopped>;
}

/// Runs one part after the other, on the calling thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sequential;

impl Executor for Sequential {
    type Stopped = Infallible;

    fn width(&self) -> usize {
        1
    }

    fn map<T: Send>(&self, parts: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
        (0..parts).map(work).collect()
    }

    fn check(&self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// The results of `work` for `0..parts`, unless the task is stopped.
pub(crate) fn try_map<T: Send, E: Executor>(
    executor: &E,
    parts: usize,
    work: impl Fn(usize) -> Result<T, E::Stopped> + Sync,
) -> Result<Vec<T>, E::Stopped> {
    let done = executor.map(parts, |part| {
        executor.check()?;
        work(part)
    });
    done.into_iter().collect()
}

/// Documents between two checks: a fraction of a millisecond for short texts, and some ten milliseconds for long ones.
const STRETCH: usize = 1 << 12;

/// Calls `work` for every item. Checks every few thousand items whether the task is to stop.
pub(crate) fn try_each<T, E: Executor>(
    executor: &E,
    items: impl IntoIterator<Item = T>,
    mut work: impl FnMut(T),
) -> Result<(), E::Stopped> {
    for (index, item) in items.into_iter().enumerate() {
        if index % STRETCH == 0 {
            executor.check()?;
        }
        work(item);
    }
    Ok(())
}
