//! A stage of a run as the progress of an index.

use crate::progress::{Interrupt, Stage};
use lookalike_index::Progress;
use std::ops::ControlFlow;

/// Advances a stage, if there is one, and stops when the run is interrupted.
pub(super) struct StageAdvance<'a> {
    pub(super) stage: Option<&'a Stage>,
    pub(super) interrupt: &'a Interrupt,
}

impl Progress for StageAdvance<'_> {
    fn advance(&self, done: u64) -> ControlFlow<()> {
        if self.interrupt.is_set() {
            return ControlFlow::Break(());
        }
        if let Some(stage) = self.stage.filter(|_| done > 0) {
            stage.inc(done);
        }
        ControlFlow::Continue(())
    }
}
