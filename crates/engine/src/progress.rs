//! How a run tells how far it is, and how it is stopped.

pub use lookalike_corpus::Interrupt;

use lookalike_corpus::{Listener, Waiting};
use std::fmt::Debug;
use std::sync::Arc;

/// Is told how far a run is, such as a terminal or a log.
pub trait Observer: Debug + Send + Sync {
    /// A stage begins; `total` is how much there is to do, if that is known. The stage ends when what is returned is dropped.
    fn begin(&self, stage: &'static str, unit: Unit, total: Option<u64>) -> Box<dyn Advance>;

    /// Something that people should know while the run goes on, such as that it goes on where another stopped.
    fn note(&self, text: &str);
}

/// Is told how much of a stage is done.
pub trait Advance: Send + Sync {
    /// So much more is done.
    fn advance(&self, done: u64);
}

/// What a stage counts.
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

/// Who is told how far a run is, and what stops it; by default nobody and nothing.
#[derive(Clone, Debug, Default)]
pub struct Monitor {
    /// Is told how far the run is.
    pub observer: Option<Arc<dyn Observer>>,
    /// The switch that stops the run.
    pub interrupt: Interrupt,
}

impl Monitor {
    /// Tells people something that they did not ask for.
    pub fn note(&self, text: &str) {
        if let Some(observer) = &self.observer {
            observer.note(text);
        }
    }

    /// How servers and pipes are waited for in this run.
    pub fn waiting(&self) -> Waiting {
        let observer = self.observer.clone();
        let listener = observer.map(|observer| Arc::new(move |text: &str| observer.note(text)) as Listener);
        Waiting { interrupt: self.interrupt.clone(), listener }
    }

    /// Begins a stage, which ends when it is dropped.
    pub fn stage(&self, name: &'static str, unit: Unit, total: Option<u64>) -> Stage {
        Stage(self.observer.as_ref().map(|observer| observer.begin(name, unit, total)))
    }
}

/// A stage of a run. Dropped, it is over.
#[must_use = "a stage is over when it is dropped"]
pub struct Stage(Option<Box<dyn Advance>>);

impl Stage {
    /// So much more of it is done.
    pub fn inc(&self, done: u64) {
        if let Some(stage) = &self.0 {
            stage.advance(done);
        }
    }
}
