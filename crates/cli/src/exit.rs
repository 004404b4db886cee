//! Exit codes: a contract with scripts.

use crate::args::Usage;
use lookalike_engine::ErrorKind;
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
        let kind = match error.downcast_ref() {
            Some(error) => Some(lookalike_batch::Error::kind(error)),
            None => of_engine(error).map(lookalike_engine::Error::kind),
        };
        // A limit that no run can keep is as wrong as an option that nobody knows.
        let usage = kind == Some(ErrorKind::Usage)
            || matches!(of_engine(error), Some(lookalike_engine::Error::TooLittleMemory { .. }));
        if usage || error.is::<Usage>() || error.is::<lookalike::PlanError>() {
            Exit::Usage
        } else {
            Exit::Failed
        }
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
