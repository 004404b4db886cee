//! Progress and cancellation of a run.

pub use lookalike_corpus::Interrupt;

use lookalike_corpus::{Listener, Waiting};
use std::fmt::Debug;
use std::sync::Arc;

/// Follows the progress of a run: a terminal or a log, for example.
pub trait Observer: Debug + Send + Sync {
    /// Called when a stage begins. `total` is the amount of work in it, if that is known. The stage ends when the result is dropped.
    fn begin(&self, stage: &'static str, unit: Unit, total: Option<u64>) -> Box<dyn Advance>;

    /// Called with a note for the user, such as that the run goes on from where an earlier one stopped.
    fn note(&self, text: &str);
}

/// Follows the progress of a stage.
pub trait Advance: Send + Sync {
    /// Called when `done` more of the work is done.
    fn advance(&self, done: u64);
}

/// The unit in which a stage counts its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "their names say it")]
pub enum Unit {
    Bytes,
    Documents,
    Rows,
    Bands,
    Parts,
    Rounds,
}

/// The observer of a run, and the switch that stops it. By default nobody observes the run, and nothing stops it.
#[derive(Clone, Debug, Default)]
pub struct Monitor {
    /// Follows the progress of the run.
    pub observer: Option<Arc<dyn Observer>>,
    /// The switch that stops the run.
    pub interrupt: Interrupt,
}

impl Monitor {
    /// Gives a note to the observer.
    pub fn note(&self, text: &str) {
        if let Some(observer) = &self.observer {
            observer.note(text);
        }
    }

    /// How this run waits for servers and pipes.
    pub fn waiting(&self) -> Waiting {
        let observer = self.observer.clone();
        let listener = observer.map(|observer| Arc::new(move |text: &str| observer.note(text)) as Listener);
        Waiting { interrupt: self.interrupt.clone(), listener }
    }

    /// Begins a stage. It ends when it is dropped.
    pub fn stage(&self, name: &'static str, unit: Unit, total: Option<u64>) -> Stage {
        Stage(self.observer.as_ref().map(|observer| observer.begin(name, unit, total)))
    }
}

/// A stage of a run. It ends when it is dropped.
#[must_use = "a stage is over when it is dropped"]
pub struct Stage(Option<Box<dyn Advance>>);

impl Stage {
    /// Reports that `done` more of the work is done.
    pub fn inc(&self, done: u64) {
        if let Some(stage) = &self.0 {
            stage.advance(done);
        }
    }
}
