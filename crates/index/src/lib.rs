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
//! gathered.documents.features(&plan, &[0], |features| assert_eq!(features.len(), 6))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `disk::files` specifies the files. Not for: inputs, and the decision which documents are similar. Those are for `engine` and `seen`.
//!
//! # How it works
//!
//! **It finds the pairs that one run would find.** A document whose sketch does not match that of a new one is never
//! compared with it. The indexed documents that match, with their clusters in the index, are therefore all that a run
//! over everything would compare with the new ones. That run would keep the first document of each cluster. New
//! documents may link two clusters of the index. Such links are stored with the first document of the joined cluster.
//! Documents that were removed or have expired are not there for it. The first living document of a cluster stands for
//! a dead first one (`heads`).
//!
//! **Its log is the database.** A document is one record of the log, with its sketch, id and text (`record`). Records
//! are never changed. A removal, or a later expiry, is a record of its own. Runs have only what is in the log, ordered
//! for look-ups.
//!
//! **It reads little.** A run has a sorted table for each band, and by MinHash a look-up reads two places of it
//! (`layout`). All new keys of a band are looked up in ascending order, so no page is read twice. A batch makes a run
//! of each million documents, and merges runs until each is three times as large as all that follow it together
//! (`merge`). A merged run has no keys of dead documents (`lives`). Expired ones are kept for an hour, for clocks that
//! are behind. An index stores 36 bits of each band key. With a million documents, 10,000 new ones meet about three
//! others by chance, which the comparison refutes. Files are mapped without read-ahead (`paged`). The run asks for
//! thousands of places at once, so no read waits alone. Only documents that a link names take memory for their cluster
//! (`linked`).
//!
//! **Fingerprints are found by their parts.** An index by SimHash has a table for each of up to four parts of a
//! fingerprint (`tables`). A key is the fingerprint, rotated so that the part comes first. A look-up reads all buckets
//! whose part is near enough, and entries have 64 bits of the fingerprint, so that few others are read. The log has the
//! fingerprint once, and no keys.
//!
//! **It holds texts.** Features take three times as many bytes as a compressed text of documentation, and can be made
//! from it. The dictionary is trained on the first chunk of documents, if that has 256 KiB of text (`texts`).
//!
//! **What is dead leaves the disk.** A file of the log with many dead documents is replaced by a packed one (`packed`).
//! A table in it leads from the old place of each living document to its new one, so no run changes (`pack`). The
//! manifest has the last second at which a dropped document has expired. Documents that expire at that second or before
//! are dead for every reader, so no reader looks for what is gone. A purge is a removal that rewrites the file in any
//! case, as soon as runs cover it.
//!
//! **It notices damage.** Every byte is under a checksum, which is checked when the byte is read. The manifest has the
//! length and a digest of each file. The digest of a file of the log is the checksum of its last frame, which depends
//! on all frames before. No file can therefore be cut off or exchanged. The checksum of a document's record depends on
//! its number, so another record at the same place is not mistaken for it.
//!
//! **A stopped writer loses nothing that was published.** Only the last file of the log may end in a frame that is not
//! whole. It is ignored, and cut off before the next batch (`Index::open_to_add`). Files that no manifest names are
//! removed then (`lock`). A folder without a manifest is taken for new only if it is empty, or has the mark of a
//! process that was making an index in it.
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
mod new_index;
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
pub use new_index::NewIndex;
pub use progress::Progress;

#[cfg(test)]
mod tests;
