//! Waiting for servers and pipes, and stopping a run that waits.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// A switch that stops a run. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

/// The error of a run that was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted; no output was written")]
pub struct Interrupted;

impl Interrupt {
    /// Stops the run.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the run was stopped.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns an error if the run was stopped.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub fn check(&self) -> Result<(), Interrupted> {
        if self.is_set() { Err(Interrupted) } else { Ok(()) }
    }
}

/// A function that is called with a message while a run waits.
pub type Listener = Arc<dyn Fn(&str) + Send + Sync>;

/// The way in which a run waits for servers and pipes. By default it waits as long as they take, without a message.
#[derive(Clone, Default)]
pub struct Waiting {
    /// Stops the waiting with an error.
    pub interrupt: Interrupt,
    /// Is called after ten seconds, and again from time to time, while a server does not answer.
    pub listener: Option<Listener>,
}

impl fmt::Debug for Waiting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Waiting").field("interrupt", &self.interrupt).finish_non_exhaustive()
    }
}
