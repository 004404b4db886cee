//! Why a file cannot be opened for its records.

use crate::{Error, Problem};

/// Why a file gives no record at all.
#[derive(Debug)]
pub(crate) enum Unopened {
    /// Reading failed, which is no fault of the file: the run ends.
    Failed(Error),
    /// The file is not what it should be: it is named and skipped.
    Unusable(Problem),
}

impl From<Error> for Unopened {
    fn from(error: Error) -> Unopened {
        Unopened::Failed(error)
    }
}

impl From<Problem> for Unopened {
    fn from(problem: Problem) -> Unopened {
        Unopened::Unusable(problem)
    }
}
