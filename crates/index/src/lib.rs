//! The persistent index: which documents were seen before.
//!
//! An index is a folder that grows. It holds the sketch, the id and the features of each document, and the clusters that the documents
//! are in. It holds no texts.
//!
//! A search in it has three steps. [`Index::candidates`] finds the documents that share a band key with a new document.
//! [`Index::gather`] reads their sketches and ids, and [`IndexedDocuments::features`] reads the features of those that are compared.
//! A [`SegmentWriter`] adds new documents. They are part of the index from the moment when [`Update::publish`] replaces the manifest.
//!
//! ```
//! use lookalike::search::{SketchBuilder, Sketches};
//! use lookalike::{Level, Plan, Weights};
//! use lookalike_index::{Index, NewDocument, SegmentWriter};
//! use std::num::NonZeroU32;
//! use std::sync::Arc;
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("seen.index");
//! let plan = Plan::default();
//! let mut builder = SketchBuilder::new(&plan, &Weights::Set, Level::detect());
//! let mut sketches = Sketches::new(&plan);
//! let mut features = builder.sketch_into("to be or not to be, that is the question", &mut sketches).to_vec();
//! let distinct = builder.prepare(&mut features, &mut []);
//! let Sketches::MinHash(table) = sketches else { unreachable!("the plan says MinHash") };
//!
//! let index = Arc::new(Index::create(&path, &plan)?);
//! let mut writer = SegmentWriter::create(index)?;
//! let view = table.view();
//! writer.push(NewDocument {
//!     keys: view.keys,
//!     signature: view.bytes,
//!     content: view.contents[0],
//!     id: "hamlet",
//!     features: &features[..distinct],
//! })?;
//! writer.finish(&[], None)?.publish()?;
//!
//! let index = Arc::new(Index::open(&path)?);
//! let candidates = index.candidates(view, NonZeroU32::MIN, &())?;
//! let gathered = index.gather(candidates, &())?;
//! assert_eq!(gathered.id_text, b"hamlet");
//! assert_eq!(gathered.documents.features(&[0])?, [&features[..distinct]]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `format` specifies the files. Not for: texts, inputs, and the decision which documents are similar. Those are for `engine`.
#![forbid(unsafe_code)]

mod encode;
mod error;
mod files;
mod gather;
mod index;
mod info;
mod key;
mod linked;
mod lock;
mod log;
mod manifest;
mod memtable;
mod platform;
mod progress;
mod removed;
mod runs;
mod state;
mod update;
mod update_writer;

pub use encode::{DocumentEncoder, EncodedDocuments};
pub use error::Error;
pub use gather::{Gathered, IndexedDocuments};
pub use index::Index;
pub use info::{IndexFile, IndexInfo, Verify};
pub use key::KEY_BITS;
pub use log::record::NewDocument;
pub use log::texts::SAMPLE_BYTES;
pub use progress::Progress;
pub use update::{Update, WrittenManifest};
pub use update_writer::UpdateWriter;

#[cfg(test)]
mod tests;
