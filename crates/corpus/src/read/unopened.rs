//! Files that cannot be opened for their records.

use crate::{Error, Problem};

/// The reason why a file gives no record at all.
#[derive(Debug)]
pub(crate) enum Unopened {
    /// Reading failed. This says nothing about the file, so the run ends.
    Failed(Error),
    /// The contents of the file are unusable. The file is reported and skipped.
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
