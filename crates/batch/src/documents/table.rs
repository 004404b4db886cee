//! The sketches of all documents, wherever they are.

use lookalike::{Codes, ContentHash, SketchView, Sketches, originals};
use lookalike_store::Held;

/// The sketches of all documents.
#[derive(Debug)]
pub(crate) enum Table {
    /// In memory.
    Memory(Sketches),
    /// On disk: band keys and signatures.
    Disk(DiskTable),
}

/// The columns of a [`lookalike::SketchTable`].
#[derive(Debug)]
pub(crate) struct DiskTable {
    pub(super) banding: lookalike::Banding,
    pub(super) num_perm: usize,
    pub(super) keys: Held<u64>,
    pub(super) bytes: Held<u8>,
    pub(super) contents: Held<ContentHash>,
}

/// What pairs are searched by.
pub(crate) enum Searched<'a> {
    /// Band keys and signatures.
    Bands(SketchView<'a>),
    /// Fingerprints, of these documents.
    Fingerprints(Vec<u32>, Codes),
    /// There are no sketches.
    Features,
}

impl Table {
    /// The content hash of `document`.
    pub(crate) fn content(&self, document: u32) -> ContentHash {
        match self {
            Table::Memory(sketches) => sketches.content(document),
            Table::Disk(table) => table.contents[document as usize],
        }
    }

    /// For every document the first one with the same content; itself for the first, and for documents without features. Found in so many
    /// `parts`, if sketches are on disk.
    pub(crate) fn originals(&self, parts: u32) -> Vec<u32> {
        match self {
            Table::Memory(sketches) => sketches.originals(),
            Table::Disk(table) => originals(&table.contents, parts),
        }
    }

    /// What pairs are searched by.
    pub(crate) fn searched(&self, originals: &[u32]) -> Searched<'_> {
        match self {
            Table::Memory(Sketches::MinHash(table)) => Searched::Bands(table.view()),
            Table::Memory(Sketches::SimHash(table)) => {
                let (documents, codes) = table.searched(originals);
                Searched::Fingerprints(documents, codes)
            }
            Table::Memory(Sketches::Exact(_)) => Searched::Features,
            Table::Disk(DiskTable { banding, num_perm, keys, bytes, contents }) => {
                Searched::Bands(SketchView { banding: *banding, num_perm: *num_perm, keys, bytes, contents })
            }
        }
    }

    /// In how many bits the fingerprints of the two differ, if they have some.
    pub(crate) fn distance(&self, a: u32, b: u32) -> Option<u32> {
        match self {
            Table::Memory(Sketches::SimHash(table)) => Some(table.distance(a, b)),
            _ => None,
        }
    }
}
