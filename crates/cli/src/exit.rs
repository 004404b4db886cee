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
        use lookalike_batch::Error::{IndexPlan, NoTempDir, NotTuned, NotWithIndex, TooLittleMemory};
        let wrong = matches!(
            error.downcast_ref(),
            Some(NotTuned | NoTempDir { .. } | TooLittleMemory { .. } | IndexPlan | NotWithIndex { .. })
        );
        let usage = wrong || error.is::<Usage>() || error.is::<lookalike::PlanError>();
        if usage { Exit::Usage } else { Exit::Failed }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}
