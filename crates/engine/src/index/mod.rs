//! An index in a run: new documents are searched for in it, and added to it.
//!
//! The index itself is [`lookalike_index`]. A run takes the documents that share a band key with a new document out of the index, and
//! puts them before the new documents, as if it had read them first ([`gather`]). The rest of the run is the same, and so is the result:
//! it is the result of one run over all documents.
//!
//! Not for: the files of an index.

mod add;
mod gather;
mod progress;
mod repeated;
mod summary;

pub use add::{add, completed_manifest};
pub use gather::gather;
pub use lookalike_index::{Error, Gathered, Index, IndexFile, IndexInfo, IndexedDocuments, Update, Verify};
pub use repeated::check_new;
pub use summary::IndexSummary;
