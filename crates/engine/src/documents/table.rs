//! The sketches of all documents, in memory or on disk.

use crate::error::Error;
use crate::work::Folder;
use crate::work::behind;
use lookalike::Score;
use lookalike::search::{SearchedSketches, SketchView, Sketches};
use lookalike::sketch::{ContentHash, DocumentGroups, originals};
use lookalike_index::shared_key;
use lookalike_store::Column;
use xxhash_rust::xxh3::Xxh3Default;

/// The sketches of all documents.
#[derive(Debug)]
pub enum SketchColumns {
    /// In memory.
    Memory(Sketches),
    /// On disk: band keys and signatures.
    Disk(DiskTable),
}

/// The columns of a [`lookalike::search::SketchTable`].
#[derive(Debug)]
pub struct DiskTable {
    pub(super) banding: lookalike::search::Banding,
    pub(super) num_perm: usize,
    pub(super) keys: Column<u64>,
    pub(super) bytes: Column<u8>,
    pub(super) contents: Column<ContentHash>,
}

impl SketchColumns {
    /// The content hash of `document`.
    pub fn content(&self, document: u32) -> ContentHash {
        match self {
            SketchColumns::Memory(sketches) => sketches.content(document),
            SketchColumns::Disk(table) => table.contents[document as usize],
        }
    }

    /// A hash of the content hashes of so many documents, in their order: it tells whether a later scan found the same texts.
    pub fn digest(&self, documents: u32) -> u64 {
        let mut digest = Xxh3Default::new();
        (0..documents).for_each(|document| digest.update(bytemuck::bytes_of(&self.content(document))));
        digest.digest()
    }

    /// For every document the first one with the same content. For the first one, and for documents without features, this is the document
    /// itself. They are found in so many `parts`, if sketches are on disk.
    pub fn originals(&self, parts: u32) -> Vec<u32> {
        match self {
            SketchColumns::Memory(sketches) => sketches.originals(),
            SketchColumns::Disk(table) => originals(&table.contents, parts),
        }
    }

    /// The sketches by which pairs are searched.
    pub fn searched<'a>(&'a self, originals: &[u32], groups: DocumentGroups<'a>) -> SearchedSketches<'a> {
        match (self, self.view()) {
            (SketchColumns::Memory(sketches), _) => sketches.searched(originals, groups),
            (SketchColumns::Disk(_), Some(view)) => SearchedSketches::Bands(SketchView { groups, ..view }),
            (SketchColumns::Disk(_), None) => SearchedSketches::Features,
        }
    }

    /// The columns of band keys and signatures, if there are such.
    pub fn view(&self) -> Option<SketchView<'_>> {
        match self {
            SketchColumns::Memory(Sketches::MinHash(table)) => Some(table.view()),
            SketchColumns::Memory(Sketches::SimHash(_) | Sketches::Exact(_)) => None,
            SketchColumns::Disk(DiskTable { banding, num_perm, keys, bytes, contents }) => {
                let (banding, num_perm, groups) = (*banding, *num_perm, DocumentGroups::default());
                Some(SketchView { banding, num_perm, keys, bytes, contents, groups })
            }
        }
    }

    /// Puts the documents of `front` before all others. `front` has shared keys, and the others get theirs.
    pub(super) fn prepend(&mut self, front: Sketches, folder: Option<&Folder>) -> Result<(), Error> {
        match self {
            SketchColumns::Memory(sketches) => {
                let mut new = std::mem::replace(sketches, front);
                if let Sketches::MinHash(table) = &mut new {
                    table.map_keys(shared_key);
                }
                sketches.append(&new);
            }
            SketchColumns::Disk(table) => {
                let Sketches::MinHash(front) = front else { panic!("sketches of one plan are of one kind") };
                let front = front.view();
                table.keys = keys_behind(front.keys, &table.keys, folder)?;
                table.bytes = behind(front.bytes, &table.bytes, "all-bytes", folder)?;
                table.contents = behind(front.contents, &table.contents, "all-contents", folder)?;
            }
        }
        Ok(())
    }

    /// The score of the two by their sketches: the distance of fingerprints, or the estimate of signatures. `None` if there are neither.
    pub fn score(&self, a: u32, b: u32) -> Option<Score> {
        match self {
            SketchColumns::Memory(Sketches::SimHash(table)) => Some(Score::Hamming(table.distance(a, b))),
            _ => self.view().map(|signatures| Score::Estimate(signatures.estimate(a, b))),
        }
    }
}

/// The band keys of documents of an index, and the shared keys of the documents that have `keys` behind them.
fn keys_behind(front: &[u64], keys: &Column<u64>, folder: Option<&Folder>) -> Result<Column<u64>, Error> {
    let Some(folder) = folder else {
        return Ok(Column::Memory(
            front.iter().copied().chain(keys.iter().copied().map(shared_key)).collect(),
        ));
    };
    let mut column = folder.start_column("all-keys")?;
    column.extend(front)?;
    for keys in keys.chunks(1 << 16) {
        column.extend(&keys.iter().copied().map(shared_key).collect::<Vec<_>>())?;
    }
    Ok(Column::Disk(folder.finish_column("all-keys", column)?))
}
