//! Exit codes, which scripts rely on.

use crate::args::Usage;
use lookalike_engine::ErrorKind;

/// The end of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The run did everything.
    Done = 0,
    /// The run wrote nothing.
    Failed = 1,
    /// The command line is wrong.
    Usage = 2,
    /// The run is done, but skipped some records.
    Skipped = 3,
    /// The audit is done, and a condition of `--fail-on` holds.
    #[cfg(feature = "audit")]
    Condition = 4,
}

impl Exit {
    pub(crate) fn of_error(error: &anyhow::Error) -> Self {
        let kind = match error.downcast_ref() {
            Some(error) => Some(lookalike_batch::Error::kind(error)),
            None => of_engine(error).map(lookalike_engine::Error::kind),
        };
        // Too little --memory is a wrong command line: no run could keep this limit.
        let usage = kind == Some(ErrorKind::Usage)
            || matches!(
                of_engine(error),
                Some(
                    lookalike_engine::Error::TooLittleMemory { .. }
                        | lookalike_engine::Error::LongWindows { .. }
                )
            );
        #[cfg(feature = "audit")]
        let usage = usage || error.downcast_ref().is_some_and(lookalike_crawl::Error::is_usage);
        if usage || error.is::<Usage>() || error.is::<lookalike::PlanError>() {
            Exit::Usage
        } else {
            Exit::Failed
        }
    }
}

/// The error of the engine, if it is one or is caused by one.
pub(crate) fn of_engine(error: &anyhow::Error) -> Option<&lookalike_engine::Error> {
    let by_job = || error.downcast_ref().and_then(lookalike_batch::Error::of_engine);
    error.downcast_ref().or_else(by_job)
}
