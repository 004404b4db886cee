//! Records that a run skipped, as summaries show them.

use serde::Serialize;

/// Skipped records that a summary shows, at most.
pub const MOST_SKIPPED_EXAMPLES: usize = 100;

/// A record that was skipped.
#[derive(Clone, Debug, Serialize)]
pub struct Skipped {
    /// File and line, or the file.
    pub place: String,
    /// The problem.
    pub problem: String,
}
