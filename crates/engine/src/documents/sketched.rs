//! The documents of one chunk: in memory, or as a record of a log.

use crate::documents::ids::DocumentIds;
use crate::documents::kept::KeptFeatures;
use crate::documents::sizes::TextLengths;
use crate::documents::skipped::SkippedRun;
use crate::error::Error;
use lookalike::search::{SketchTable, Sketches};
use lookalike::sketch::Group;
use lookalike_corpus::{ChunkId, Place, SuspectQuotes};
use lookalike_store::{StoredRecord, bytes_of};
use serde::{Deserialize, Serialize};

/// The documents of one chunk.
#[derive(Debug)]
pub struct SketchedChunk {
    /// The totals of the chunk.
    pub head: ChunkHead,
    /// The sketches of its documents.
    pub sketches: Sketches,
    /// Their places in it.
    pub places: Vec<Place>,
    /// The [keys](lookalike_corpus::Rank::to_key) that the keep policy ranks by, two zeros for a document without one; empty if it ranks by something else.
    pub ranks: Vec<[u64; 2]>,
    /// The lengths of their texts.
    pub sizes: TextLengths,
    /// Their groups, or empty if all are in one group.
    pub groups: Vec<Group>,
    /// Their ids, if they were asked for.
    pub ids: Option<DocumentIds>,
    /// The place of their features, if these are kept.
    pub kept: Option<KeptFeatures>,
}

/// The totals of a chunk.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChunkHead {
    /// The id of the chunk.
    #[serde(with = "StoredId")]
    pub id: ChunkId,
    /// The bytes of the input that it comes from, as they are stored, or 0 if that is unknown. Not written to disk.
    #[serde(skip)]
    pub stored_bytes: u64,
    /// The number of its documents.
    pub documents: u32,
    /// The number of its lines.
    pub lines: u32,
    /// Records that are no documents.
    pub others: u32,
    /// The number of documents whose text is null.
    pub without_text: u32,
    /// Bytes of all texts.
    pub text_bytes: u64,
    /// The sum of the features of each document, with repetitions.
    pub features: u64,
    /// A bit for each field of `--within`, set if one of them has it.
    pub group_fields: u64,
    /// Records that were skipped.
    pub skipped: u64,
    /// Where they are among its documents.
    pub skipped_runs: Vec<SkippedRun>,
    /// The first of them: the line in the chunk, or `None` for a whole file, and the problem.
    pub bad: Vec<(Option<u32>, String)>,
    /// Signs that quotes of a table are text.
    pub suspect: SuspectQuotes,
}

/// In place of the key of a document without a rank.
pub(super) const NO_RANK: [u64; 2] = [0; 2];

/// A [`ChunkId`] as it is stored.
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

impl ChunkHead {
    /// The head of a chunk that has not been read yet, with the number of its stored bytes.
    pub(super) fn start(id: ChunkId, stored_bytes: u64) -> Self {
        ChunkHead {
            id,
            stored_bytes,
            documents: 0,
            lines: 0,
            others: 0,
            without_text: 0,
            text_bytes: 0,
            features: 0,
            group_fields: 0,
            skipped: 0,
            skipped_runs: Vec::new(),
            bad: Vec::new(),
            suspect: SuspectQuotes::default(),
        }
    }

    /// The head in a record.
    pub(super) fn of(record: StoredRecord<'_>) -> Result<Self, Error> {
        serde_json::from_slice(record.bytes(part::HEAD)?)
            .map_err(|_| record.damaged("its head is none").into())
    }
}

impl SketchedChunk {
    /// The bytes of memory that it takes, roughly.
    pub(super) fn bytes(&self) -> u64 {
        let ids = self.ids.as_ref().map_or(0, DocumentIds::bytes);
        (self.sketches.bytes()
            + 8 * self.places.len()
            + 16 * self.ranks.len()
            + self.sizes.memory()
            + size_of_val(&self.groups[..])
            + size_of_val(&self.head.skipped_runs[..])
            + ids
            + size_of::<SketchedChunk>()) as u64
    }

    /// Calls `write` with the parts of its record. `table` holds its sketches.
    pub(super) fn record<R>(&self, table: &SketchTable, write: impl FnOnce(&[&[u8]]) -> R) -> R {
        let head = serde_json::to_vec(&self.head).unwrap_or_default();
        let view = table.view();
        let (ends, text) = self.ids.as_ref().map_or((&[][..], &[][..]), DocumentIds::parts);
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
