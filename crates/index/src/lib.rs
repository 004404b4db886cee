//! The persistent index: which documents were seen before.
//!
//! An index is a folder that grows. It holds the sketch, the id and the text of each document, and the clusters that the documents are in.
//!
//! A search in it has three steps. [`Index::candidates`] finds the documents whose sketches match that of a new document: they share a band key, or their fingerprints are near.
//! [`Index::gather`] reads their sketches and ids, and [`IndexedDocuments::features`] makes the features of those that are compared.
//! An [`UpdateWriter`] adds new documents. They are part of the index from the moment when [`Update::publish`] replaces the manifest.
//!
//! ```
//! use lookalike::search::{SketchBuilder, Sketches};
//! use lookalike::{Level, Plan, Weights};
//! use lookalike_index::{EncodedDocuments, Index, NewDocument, UpdateWriter};
//! use std::sync::Arc;
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("seen.index");
//! let plan = Plan::default();
//! let text = "to be or not to be, that is the question";
//! let mut sketches = Sketches::new(&plan);
//! SketchBuilder::new(&plan, &Weights::Set, Level::detect()).sketch_into(text, &mut sketches);
//! let Sketches::MinHash(table) = sketches else { unreachable!("the plan says MinHash") };
//! let sketch = table.view();
//!
//! let index = Arc::new(Index::create(&path, &plan)?);
//! let mut writer = UpdateWriter::create(index, sketch.keys, &[])?;
//! let mut documents = EncodedDocuments::new(writer.first_number());
//! let document = NewDocument {
//!     keys: sketch.keys,
//!     signature: sketch.bytes,
//!     content: sketch.contents[0],
//!     id: "hamlet",
//!     text,
//!     ..NewDocument::default()
//! };
//! documents.push(&document, &writer.encoder());
//! writer.push(&documents)?;
//! writer.finish(&[], None, &())?.publish()?;
//!
//! let index = Arc::new(Index::open(&path)?);
//! let candidates = index.candidates(sketch.keys, sketch.contents, 0, &())?;
//! let gathered = index.gather(candidates, 0, &())?;
//! assert_eq!(gathered.id_text, b"hamlet");
//! gathered.documents.features(&[0], |features| assert_eq!(features.len(), 6))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `disk::files` specifies the files. Not for: inputs, and the decision which documents are similar. Those are for `engine`.
#![forbid(unsafe_code)]

mod about;
mod bulk;
mod clock;
mod clusters;
mod disk;
mod encode;
mod error;
mod index;
mod info;
mod keys;
mod life;
pub mod live;
mod log;
mod progress;
mod recover;
#[cfg(feature = "redis")]
pub mod redis;
mod state;

pub use about::About;
pub use bulk::gather::{Gathered, IndexedDocuments};
pub use bulk::linked::LinkedDocuments;
pub use bulk::update::{Update, WrittenManifest};
pub use bulk::update_writer::UpdateWriter;
pub use clock::unix_seconds;
pub use clusters::{Clusters, Compacted, Compaction};
pub use encode::{DocumentEncoder, EncodedDocument, EncodedDocuments};
pub use error::Error;
pub use index::Index;
pub use info::{IndexFile, IndexInfo, Verify};
pub use keys::key::shared_key;
pub use keys::tables::Tables;
pub use log::record::{NewDocument, NewUrl};
pub use log::texts::SAMPLE_BYTES;
pub use progress::Progress;

#[cfg(test)]
mod tests;
