//! The features that workers keep from the first scan.

use bytemuck::{Pod, Zeroable};
use std::ops::Range;

/// The features that one worker keeps, document after document.
///
/// The memory for all of them is requested at once. The system gives it page by page when it is touched, and no worker waits for the
/// mappings of another.
#[derive(Debug)]
pub struct FeatureStore {
    /// The number of the worker.
    pub id: u32,
    /// The features.
    pub values: Vec<u64>,
}

/// All features that were kept from the first scan.
#[derive(Debug, Default)]
pub struct KeptChunks {
    /// For each chunk the place of its features, if there was room for them.
    pub places: Vec<Option<KeptFeatures>>,
    /// The stores that they are in.
    pub stores: Vec<FeatureStore>,
}

impl KeptChunks {
    /// Nothing was kept of so many chunks.
    pub fn none(chunks: usize) -> Self {
        KeptChunks { places: (0..chunks).map(|_| None).collect(), stores: Vec::new() }
    }

    /// The bytes of all features.
    pub fn bytes(&self) -> usize {
        self.stores.iter().map(FeatureStore::bytes).sum()
    }
}

/// The place of the features of a chunk's documents in a store.
#[derive(Debug)]
pub struct KeptFeatures {
    /// The store that they are in.
    pub store: u32,
    start: usize,
    /// The end of each document's features, counted from `start`.
    ends: Vec<u32>,
}

impl FeatureStore {
    /// The store of worker `id`, with room for `bytes`.
    pub fn new(id: u32, bytes: u64) -> Self {
        FeatureStore { id, values: Vec::with_capacity(usize::try_from(bytes / 8).unwrap_or(0)) }
    }

    /// The bytes of its features.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.values[..])
    }

    /// Starts to keep the features of a chunk.
    pub fn start(&self) -> KeptFeatures {
        KeptFeatures { store: self.id, start: self.values.len(), ends: Vec::new() }
    }

    /// Keeps the features of the chunk's next document. If there is no room, the features of the whole chunk are given up, and the result is
    /// `None`.
    pub fn keep(&mut self, features: &[u64], kept: Option<KeptFeatures>) -> Option<KeptFeatures> {
        let mut kept = kept?;
        let end = u32::try_from(self.values.len() + features.len() - kept.start);
        match end {
            Ok(end) if features.len() <= self.values.capacity() - self.values.len() => {
                self.values.extend_from_slice(features);
                kept.ends.push(end);
                Some(kept)
            }
            _ => {
                self.values.truncate(kept.start);
                None
            }
        }
    }
}

impl KeptFeatures {
    /// The place of the features of the chunk's document `index`.
    pub fn span(&self, index: usize) -> FeatureSpan {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        FeatureSpan {
            arena: self.store,
            start: self.start as u64 + u64::from(start),
            len: self.ends[index] - start,
        }
    }
}

/// The place of a document's features in an arena.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub struct FeatureSpan {
    /// The position of the first one in the arena.
    pub start: u64,
    /// The arena.
    pub arena: u32,
    /// The number of features.
    pub len: u32,
}

impl FeatureSpan {
    /// The positions as a range.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }
}
