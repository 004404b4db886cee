//! Why a text has no answer.

use lookalike_index::Error as IndexError;

/// Why there is no answer.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SeenError {
    /// Too many changes wait.
    #[error("too many changes wait to be written; try again later")]
    Busy,
    /// The change could not be written to the disk. If the disk failed so that it could not be cut off either, it may be in
    /// the index after a restart all the same.
    #[error("the change could not be written: {reason}")]
    NotWritten {
        /// The reason.
        reason: String,
        /// Whether the disk is full.
        is_full: bool,
    },
    /// The index is in a server that does not answer now. A change may have been made; to make it again is safe.
    #[error("{reason}")]
    Unreachable {
        /// The reason.
        reason: String,
    },
    /// The index cannot be read.
    #[error("the index cannot be read: {reason}")]
    Index {
        /// The reason.
        reason: String,
    },
    /// The index was closed.
    #[error("the index was closed")]
    Closed,
}

impl From<IndexError> for SeenError {
    fn from(error: IndexError) -> Self {
        SeenError::Index { reason: error.to_string() }
    }
}
