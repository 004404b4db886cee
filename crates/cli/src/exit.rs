//! Exit codes: a contract with scripts.

use crate::args::Usage;
use std::process::ExitCode;

/// How the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Everything asked for was done.
    Done = 0,
    /// Nothing was written.
    Failed = 1,
    /// The command line is wrong.
    Usage = 2,
    /// Done, but some records were skipped.
    Skipped = 3,
}

impl Exit {
    pub(crate) fn of_error(error: &anyhow::Error) -> Self {
        use lookalike_batch::Error::{NotTuned, NotWithIndex};
        use lookalike_engine::Error::{IndexPlan, NoTempDir, TooLittleMemory};
        let wrong = matches!(error.downcast_ref(), Some(NotTuned | NotWithIndex { .. }))
            || matches!(of_engine(error), Some(NoTempDir { .. } | TooLittleMemory { .. } | IndexPlan));
        let usage = wrong || error.is::<Usage>() || error.is::<lookalike::PlanError>();
        if usage { Exit::Usage } else { Exit::Failed }
    }
}

/// What the engine says, if the error is from there.
pub(crate) fn of_engine(error: &anyhow::Error) -> Option<&lookalike_engine::Error> {
    let by_job = || error.downcast_ref().and_then(lookalike_batch::Error::of_engine);
    error.downcast_ref().or_else(by_job)
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}
