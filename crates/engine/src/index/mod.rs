//! An index in a run, which searches it and adds to it.
//!
//! The index itself is [`lookalike_index`]. A run takes the documents out of it that may be similar to a new one ([`gather`]). It
//! puts them before the new documents, as if it had read them first. One run over all documents has the same result.
//!
//! Not for: the files of an index.

mod about;
mod add;
mod gather;
mod progress;
mod repeated;
mod stored;
mod summary;

pub use add::{add, completed_manifest};
pub use gather::gather;
pub use lookalike_index::{
    Error, Gathered, Index, IndexFile, IndexInfo, IndexedDocuments, NewIndex, Update, Verify,
};
pub use repeated::check_new;
pub use summary::IndexSummary;
