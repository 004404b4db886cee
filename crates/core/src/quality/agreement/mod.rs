//! Agreement of two accounts of similar documents: pair counts, precision, recall, adjusted Rand index.
//!
//! One account is the result, the other the truth. Each lists pairs, or groups documents into clusters. Every pair
//! within a cluster counts. These pairs are counted by cluster sizes and never listed, so a cluster of a million
//! documents costs a million steps. Both accounts must number the same documents.
//!
//! Not for: finding pairs, or reading lists.

mod account;
mod counts;
mod histogram;
mod pairs;
mod partition;

pub use account::Account;
pub use counts::Agreement;
pub use histogram::{Bin, Histogram, Scale};
pub use pairs::{Pair, PairSet};
pub use partition::Partition;
