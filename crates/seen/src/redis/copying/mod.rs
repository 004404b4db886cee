//! Copies an index from a folder into Redis, and from Redis into a folder.
//!
//! Documents keep their order, texts, times, expiry, metadata and clusters. They get new numbers, because removed documents are left out.

mod from_redis;
mod to_redis;

pub use from_redis::copy_from_redis;
pub use to_redis::copy_to_redis;

use std::collections::BTreeMap;

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

/// Puts documents of one cluster together. In the other index they have other numbers.
#[derive(Debug, Default)]
struct CopiedLinks {
    /// The first document of each cluster that was copied, by the old number of the cluster's first document.
    firsts: BTreeMap<u64, u64>,
    links: Vec<[u64; 2]>,
}

impl CopiedLinks {
    /// Takes note of the new `number` of a document of `cluster`.
    fn add(&mut self, cluster: u64, number: u64) {
        let first = *self.firsts.entry(cluster).or_insert(number);
        if first != number {
            self.links.push([first, number]);
        }
    }
}
