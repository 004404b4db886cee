//! Locality-sensitive hashing: from band keys to the pairs worth comparing, and to those that are similar.
//!
//! Two documents are candidates if they share the key of a band. Not for: comparing; that is `verify`.

mod index;
mod join;
mod links;
mod table;
mod wanted;

pub use index::{Candidate, MinHashIndex};
pub use join::{Join, Tally};
pub(crate) use links::link;
pub use table::{SketchTable, SketchView};
pub(crate) use wanted::Wanted;
