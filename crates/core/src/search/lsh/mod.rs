//! Locality-sensitive hashing: candidates by band keys, and the similar pairs among them.
//!
//! Two documents are candidates if they share the key of a band. Not for: comparing, which is done in `verify`.

mod index;
mod join;
mod links;
mod table;
mod wanted;

pub use index::{BandCandidate, MinHashIndex};
pub use join::{Join, Tally};
pub(crate) use links::link;
pub use table::{SketchTable, SketchView};
pub(crate) use wanted::WantedPairs;
