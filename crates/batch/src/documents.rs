//! What is known of every document after the first scan.

use crate::error::Error;
use crate::features::{Kept, Store};
use crate::ids::Ids;
use lookalike::{Plan, Sketches};
use lookalike_corpus::{BadRecord, ChunkId, Place};

/// One chunk's share of the documents.
#[derive(Debug)]
pub(crate) struct Sketched {
    pub(crate) id: ChunkId,
    pub(crate) lines: u32,
    /// Records that are no documents.
    pub(crate) others: u32,
    pub(crate) text_bytes: u64,
    /// What is compared of all documents, with repetitions.
    pub(crate) features: u64,
    pub(crate) sketches: Sketches,
    pub(crate) places: Vec<Place>,
    /// What the keep policy ranks by, if it does.
    pub(crate) ranks: Vec<f64>,
    pub(crate) ids: Option<Ids>,
    pub(crate) bad: Vec<BadRecord>,
    pub(crate) kept: Option<Kept>,
}

/// Where a chunk's documents stand among all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChunkEntry {
    pub(crate) id: ChunkId,
    pub(crate) first_document: u32,
    pub(crate) documents: u32,
    /// Lines of the file before the chunk.
    pub(crate) first_line: u64,
}

/// A record that was skipped.
#[derive(Clone, Debug)]
pub(crate) struct BadLine {
    pub(crate) file: u32,
    pub(crate) line: u64,
    pub(crate) record: BadRecord,
}

/// All documents, numbered in input order.
#[derive(Debug)]
pub(crate) struct Documents {
    pub(crate) sketches: Sketches,
    pub(crate) chunks: Vec<ChunkEntry>,
    pub(crate) places: Vec<Place>,
    /// What the keep policy ranks by; empty if it does not.
    pub(crate) ranks: Vec<f64>,
    pub(crate) ids: Option<Ids>,
    pub(crate) bad: Vec<BadLine>,
    /// How many records are no documents.
    pub(crate) others: u64,
    /// How many features all documents have, with repetitions.
    pub(crate) features: u64,
    /// Where each chunk's features are kept, if there was room, and the stores.
    pub(crate) kept: (Vec<Option<Kept>>, Vec<Store>),
}

impl ChunkEntry {
    /// The numbers of the chunk's documents.
    pub(crate) fn range(&self) -> std::ops::Range<u32> {
        self.first_document..self.first_document + self.documents
    }
}

impl Documents {
    /// Puts the chunks in order and the documents behind one another.
    pub(crate) fn assemble(plan: &Plan, mut parts: Vec<Sketched>, stores: Vec<Store>) -> Result<Self, Error> {
        parts.sort_unstable_by_key(|part| part.id);
        let count: u64 = parts.iter().map(|part| part.places.len() as u64).sum();
        if count > u64::from(u32::MAX) {
            return Err(Error::TooMany { documents: count });
        }
        let mut all = Documents {
            sketches: Sketches::new(plan),
            chunks: Vec::with_capacity(parts.len()),
            places: Vec::with_capacity(count as usize),
            ranks: Vec::new(),
            ids: parts.first().and_then(|part| part.ids.as_ref()).map(|_| Ids::default()),
            bad: Vec::new(),
            others: parts.iter().map(|part| u64::from(part.others)).sum(),
            features: parts.iter().map(|part| part.features).sum(),
            kept: (Vec::with_capacity(parts.len()), stores),
        };
        all.sketches.reserve(count as usize);
        let mut line = 0;
        let mut file = None;
        for part in parts {
            if file != Some(part.id.file) {
                (file, line) = (Some(part.id.file), 0);
            }
            all.chunks.push(ChunkEntry {
                id: part.id,
                first_document: all.places.len() as u32,
                documents: part.places.len() as u32,
                first_line: line,
            });
            let bad_line = |record: BadRecord| BadLine {
                file: part.id.file,
                line: line + u64::from(record.line),
                record,
            };
            all.bad.extend(part.bad.into_iter().map(bad_line));
            all.sketches.append(&part.sketches);
            all.places.extend_from_slice(&part.places);
            all.ranks.extend_from_slice(&part.ranks);
            if let (Some(ids), Some(more)) = (&mut all.ids, &part.ids) {
                ids.append(more);
            }
            all.kept.0.push(part.kept);
            line += u64::from(part.lines);
        }
        Ok(all)
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// What the keep policy ranks `document` by; `None` if it has no number.
    pub(crate) fn rank(&self, document: u32) -> Option<f64> {
        self.ranks.get(document as usize).copied().filter(|rank| !rank.is_nan())
    }

    /// The chunk that `document` is in.
    pub(crate) fn chunk_of(&self, document: u32) -> &ChunkEntry {
        &self.chunks[self.chunks.partition_point(|chunk| chunk.first_document <= document) - 1]
    }

    /// The index of the chunk called `id`; `None` if the first scan did not see it.
    pub(crate) fn chunk_index(&self, id: ChunkId) -> Option<usize> {
        self.chunks.binary_search_by_key(&id, |chunk| chunk.id).ok()
    }
}
