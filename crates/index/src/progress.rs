//! Progress and cancellation, as one value that the caller passes in.

use crate::error::Error;
use std::ops::ControlFlow;

/// Follows long work, and may stop it. `()` does neither.
pub trait Progress: Sync {
    /// Takes note that `done` more of the work is done, and returns whether to go on.
    ///
    /// The method that works says what it counts. It also calls this with zero, only to ask whether to go on. Threads call it at the same
    /// time.
    fn advance(&self, done: u64) -> ControlFlow<()>;
}

impl Progress for () {
    fn advance(&self, _done: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Reports `done` more of the work.
///
/// # Errors
/// [`Error::Interrupted`] if the work is to stop.
pub(crate) fn advance(progress: &dyn Progress, done: u64) -> Result<(), Error> {
    match progress.advance(done) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Interrupted),
    }
}
