//! The errors of an audit.

use std::io;

/// Why an audit has no result. `Stopped` is the error of the executor that stopped it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AuditError<Stopped> {
    /// The executor stopped it.
    #[error("the audit was stopped")]
    Stopped(Stopped),
    /// The text of a page cannot be read.
    #[error("the text of {url} cannot be read")]
    Unread {
        /// The URL of the page.
        url: String,
        /// The error of the source.
        #[source]
        error: io::Error,
    },
    /// A setting is out of its range.
    #[error(transparent)]
    Settings(#[from] lookalike::PlanError),
}
