//! Which documents are alive: not removed, and not expired.
//!
//! A document expires at a second that it is added with, and that may be [extended](extended::Extended) later. The seconds are compared with
//! a clock that the caller passes in.
//!
//! Not for: removing what is left of a dead document. Merging removes its keys.

pub(crate) mod extended;
mod lives;
pub(crate) mod removed;

pub(crate) use lives::Lives;

/// The second at which a document expires that never expires.
pub(crate) const NEVER: u32 = u32::MAX;

/// Seconds after which an expired document is dropped. A clock that is behind by less still finds it, and may extend its expiry.
const KEPT_SECONDS: u32 = 3600;

/// The last second at which a document may have expired that is dropped at second `now`.
pub(crate) fn dropped_at(now: u32) -> u32 {
    now.saturating_sub(KEPT_SECONDS)
}
