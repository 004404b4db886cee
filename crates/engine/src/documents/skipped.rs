//! Records that a run could not read, as summaries tell of them.

use serde::Serialize;

/// Skipped records that a summary shows.
pub const MOST_SKIPPED_EXAMPLES: usize = 100;

/// A record that was skipped.
#[derive(Clone, Debug, Serialize)]
pub struct Skipped {
    /// File and line, or the file.
    pub place: String,
    /// What is wrong with it.
    pub problem: String,
}
