//! The time by which documents expire.

use std::time::{SystemTime, UNIX_EPOCH};

/// The second since 1970, by the clock of the system.
pub fn unix_seconds() -> u32 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u32::try_from(since.as_secs()).unwrap_or(u32::MAX)
}
