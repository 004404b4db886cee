//! How a run waits for servers and pipes, and how it is stopped.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// A switch that stops a run; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

/// The run was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted; no output was written")]
pub struct Interrupted;

impl Interrupt {
    /// Stops the run.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Has it been set?
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// [`Interrupted`] if it has been set.
    ///
    /// # Errors
    /// That one.
    pub fn check(&self) -> Result<(), Interrupted> {
        if self.is_set() { Err(Interrupted) } else { Ok(()) }
    }
}

/// Is told that a run waits.
pub type Listener = Arc<dyn Fn(&str) + Send + Sync>;

/// How a run waits for servers and pipes; by default as long as they take, in silence.
#[derive(Clone, Default)]
pub struct Waiting {
    /// Ends the waiting with an error.
    pub interrupt: Interrupt,
    /// Is told, after ten seconds and again and again, that a server has not answered.
    pub listener: Option<Listener>,
}

impl fmt::Debug for Waiting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Waiting").field("interrupt", &self.interrupt).finish_non_exhaustive()
    }
}
