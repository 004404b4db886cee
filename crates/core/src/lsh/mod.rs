//! Locality-sensitive hashing: from band keys to the pairs worth comparing, and to those that are alike.
//!
//! Two documents are candidates if they share the key of a band. Not for: comparing; that is `verify`.

mod banding;
mod buckets;
mod join;
mod table;

pub use banding::Banding;
pub use buckets::Buckets;
pub use join::{Join, Match, Tally};
pub use table::SketchTable;
