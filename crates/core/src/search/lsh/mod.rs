//! Locality-sensitive hashing: candidates by band keys, and the similar pairs among them.
//!
//! Two documents are candidates if they share the key of a band. Not for: comparing, which is done in `verify`.
//!
//! # How a pair is met only once
//!
//! A candidate counts in the first band that it shares (`SketchTable::met_before`). This compares two short rows of
//! keys. A list of seen pairs could be longer than the corpus.

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
