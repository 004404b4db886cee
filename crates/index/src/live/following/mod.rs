//! Copies of an index that follow it: changes that were made in one index are made in another.
//!
//! A [`ChangeReader`] reads changes from the log of an index while it is written, and [`IndexWriter::apply`] makes them in the copy. The log of
//! the copy then has the same records under the same numbers, so the place that a copy has reached is one number. A [`CopyItem`] is what travels
//! between the two. A [`IndexMark`] tells whether an index is a copy of another.
//!
//! Nothing that a copy has can be lost by the other index, because only changes that are on the disk are read.
//!
//! Not for: connections between machines.

mod apply;
mod changes;
mod item;
mod mark;

pub use changes::{ChangeReader, Changes};
pub use item::{CopyItem, Items};
pub use mark::IndexMark;

#[cfg(doc)]
use super::IndexWriter;
