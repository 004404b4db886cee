//! Copies an index from a folder into Redis, and from Redis into a folder.
//!
//! Documents keep their order, texts, times, expiry, metadata and clusters. They get new numbers, because removed documents are left out.

mod from_redis;
mod to_redis;

pub use from_redis::copy_from_redis;
pub use to_redis::copy_to_redis;

/// What was copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// The documents that were copied.
    pub documents: u64,
    /// The documents that the other index had already, with the same id and the same text.
    pub unchanged: u64,
    /// The documents whose id the other index has with another text. They were not copied.
    pub conflicts: u64,
}
