//! An executor that stops when it is told to.

use lookalike::Executor;
use std::fmt;

/// Runs the work of another executor, until `is_stopped` says that the result is not wanted any more.
pub struct StopWhen<'a, E> {
    /// The executor that runs the work.
    pub executor: E,
    /// Whether to stop.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
}

impl<E: fmt::Debug> fmt::Debug for StopWhen<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StopWhen").field("executor", &self.executor).finish_non_exhaustive()
    }
}

/// The work was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the work was stopped")]
pub struct WorkStopped;

impl<E: Executor> Executor for StopWhen<'_, E> {
    type Stopped = WorkStopped;

    fn width(&self) -> usize {
        self.executor.width()
    }

    fn map<T: Send>(&self, parts: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
        self.executor.map(parts, work)
    }

    fn check(&self) -> Result<(), WorkStopped> {
        let stops = (self.is_stopped)() || self.executor.check().is_err();
        if stops { Err(WorkStopped) } else { Ok(()) }
    }
}
