//! How far do two accounts of which documents are similar agree?
//!
//! One account is what was found, the other one the truth. Either lists pairs or groups documents into clusters, where each
//! pair of a cluster counts; the pairs of clusters are counted by their sizes and never listed, so that a cluster of a
//! million costs a million. Both number the same documents.
//!
//! Not for: finding pairs; reading lists.

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
