//! The features that workers keep from the first scan, and where those of a document are.

use bytemuck::{Pod, Zeroable};
use std::ops::Range;

/// The features that one worker keeps, document after document.
///
/// Room for all of them is asked for at once: the system gives it page by page as it is touched, and workers do not
/// wait for one another's mappings.
#[derive(Debug)]
pub struct Store {
    /// The number of the worker.
    pub id: u32,
    /// The features.
    pub values: Vec<u64>,
}

/// Where the features of a chunk's documents are kept.
#[derive(Debug)]
pub struct Kept {
    /// The store that they are in.
    pub store: u32,
    start: usize,
    /// Behind each document, from `start`.
    ends: Vec<u32>,
}

impl Store {
    /// The store of worker `id`, with room for `bytes`.
    pub fn new(id: u32, bytes: u64) -> Self {
        Store { id, values: Vec::with_capacity(usize::try_from(bytes / 8).unwrap_or(0)) }
    }

    /// How many bytes are kept.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.values[..])
    }

    /// Starts to keep the features of a chunk.
    pub fn start(&self) -> Kept {
        Kept { store: self.id, start: self.values.len(), ends: Vec::new() }
    }

    /// Keeps the features of the chunk's next document; `None`, and those of the chunk's others are given up, if there
    /// is no room.
    pub fn keep(&mut self, features: &[u64], kept: Option<Kept>) -> Option<Kept> {
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

impl Kept {
    /// Where the features of the chunk's document `index` are in its store.
    pub fn span(&self, index: usize) -> Span {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        Span { arena: self.store, start: self.start as u64 + u64::from(start), len: self.ends[index] - start }
    }
}

/// Where features are.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Span {
    /// Where in the arena they start.
    pub start: u64,
    /// The arena.
    pub arena: u32,
    /// How many there are.
    pub len: u32,
}

impl Span {
    /// The same as a range.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }
}
