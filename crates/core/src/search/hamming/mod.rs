//! Search for codes that differ in at most `k` bits: SimHash and other binary fingerprints of 64 or 128 bits.
//!
//! [`HammingIndex`] answers queries for single codes, and takes insertions and removals. [`HammingJoin`] finds all
//! pairs of a collection at once. Both are exact for every distance up to 12. Two codes at distance `k` that are cut
//! into parts cannot differ much in every part (the pigeonhole principle). Codes that are close in a part are compared
//! in full. No bucket is capped.
//!
//! Not for: making codes, and distances within which most pairs of random codes lie.
//!
//! Sources: Manku, Jain and Sarma, "Detecting near-duplicates for web crawling", 2007 (blocks). Norouzi, Punjani and
//! Fleet, "Fast exact search in Hamming space with multi-index hashing", 2012, and Qin et al., "GPH: similarity search
//! in Hamming space", 2018 (parts with thresholds of their own).

mod index;
mod join;
mod layer;
mod layout;
mod listed;
mod order;
mod plan;
mod probe;
mod split;
mod table;

pub use crate::simd::hamming::Code;
pub use index::{HammingIndex, Neighbour};
pub use join::{HammingJoin, HammingJoinError, HammingPair, Task, Workspace};
pub use layout::{CodePart, HammingLayout};

/// The largest distance that can be searched for.
///
/// At 12 of 64 bits, 2 in 10 million pairs of random codes are neighbours. At larger distances, most results would be
/// chance.
const MOST: u32 = 12;
