//! One chunk's share of the documents: in memory, or as a record of a log.

use crate::documents::ids::Ids;
use crate::documents::kept::Kept;
use crate::documents::sizes::TextLengths;
use crate::error::Error;
use lookalike::search::{SketchTable, Sketches};
use lookalike::sketch::Group;
use lookalike_corpus::{ChunkId, Place};
use lookalike_store::{Record, bytes_of};
use serde::{Deserialize, Serialize};

/// One chunk's share of the documents.
#[derive(Debug)]
pub struct SketchedChunk {
    /// What is known of the chunk.
    pub head: Head,
    /// The sketches of its documents.
    pub sketches: Sketches,
    /// Where they are in it.
    pub places: Vec<Place>,
    /// What the keep policy ranks by, if it does.
    pub ranks: Vec<f64>,
    /// How long their texts are.
    pub sizes: TextLengths,
    /// Their groups, if there are several.
    pub groups: Vec<Group>,
    /// Their ids, if they were asked for.
    pub ids: Option<Ids>,
    /// Where their features are kept, if they are.
    pub kept: Option<Kept>,
}

/// What there is to say of a chunk as a whole.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Head {
    /// Which chunk.
    #[serde(with = "StoredId")]
    pub id: ChunkId,
    /// Bytes of the input that it is made of, as they are stored; 0 if that is not known. It is not put on disk.
    #[serde(skip)]
    pub stored_bytes: u64,
    /// How many documents it has.
    pub documents: u32,
    /// How many lines it has.
    pub lines: u32,
    /// Records that are no documents.
    pub others: u32,
    /// Bytes of all texts.
    pub text_bytes: u64,
    /// What is compared of all documents, with repetitions.
    pub features: u64,
    /// A bit for each field to group by that one of them has.
    pub group_fields: u64,
    /// Records that were skipped.
    pub skipped: u64,
    /// The first of them: the line in the chunk, if it is not the whole file that is wrong, and what is wrong.
    pub bad: Vec<(Option<u32>, String)>,
}

/// How a [`ChunkId`] is stored.
#[derive(Serialize, Deserialize)]
#[serde(remote = "ChunkId")]
struct StoredId {
    file: u32,
    sequence: u32,
}

/// The parts of a record.
pub(super) mod part {
    pub(crate) const HEAD: usize = 0;
    pub(crate) const KEYS: usize = 1;
    pub(crate) const BYTES: usize = 2;
    pub(crate) const CONTENTS: usize = 3;
    pub(crate) const PLACES: usize = 4;
    pub(crate) const RANKS: usize = 5;
    pub(crate) const ID_ENDS: usize = 6;
    pub(crate) const ID_TEXT: usize = 7;
    pub(crate) const TEXT_BYTES: usize = 8;
    pub(crate) const TOKENS_OF_SHORT: usize = 9;
    pub(crate) const GROUPS: usize = 10;
}

impl Head {
    /// Of a chunk of which nothing is known but how many bytes are stored.
    pub(super) fn start(id: ChunkId, stored_bytes: u64) -> Self {
        Head {
            id,
            stored_bytes,
            documents: 0,
            lines: 0,
            others: 0,
            text_bytes: 0,
            features: 0,
            group_fields: 0,
            skipped: 0,
            bad: Vec::new(),
        }
    }

    /// Of a record.
    pub(super) fn of(record: Record<'_>) -> Result<Self, Error> {
        serde_json::from_slice(record.bytes(part::HEAD)?)
            .map_err(|_| record.damaged("its head is none").into())
    }
}

impl SketchedChunk {
    /// About how many bytes of memory it takes.
    pub(super) fn bytes(&self) -> u64 {
        let ids = self.ids.as_ref().map_or(0, Ids::bytes);
        (self.sketches.bytes()
            + 8 * (self.places.len() + self.ranks.len())
            + self.sizes.memory()
            + size_of_val(&self.groups[..])
            + ids
            + size_of::<SketchedChunk>()) as u64
    }

    /// The parts of its record; `table` are its sketches.
    pub(super) fn record<R>(&self, table: &SketchTable, write: impl FnOnce(&[&[u8]]) -> R) -> R {
        let head = serde_json::to_vec(&self.head).unwrap_or_default();
        let view = table.view();
        let (ends, text) = self.ids.as_ref().map_or((&[][..], &[][..]), Ids::parts);
        let (text_bytes, tokens_of_short) = self.sizes.columns();
        write(&[
            &head,
            bytes_of(view.keys),
            view.bytes,
            bytes_of(view.contents),
            bytes_of(&self.places),
            bytes_of(&self.ranks),
            bytes_of(ends),
            text,
            bytes_of(text_bytes),
            bytes_of(tokens_of_short),
            bytes_of(&self.groups),
        ])
    }
}
