//! The features that workers keep from the first scan, and where those of a document are.

use bytemuck::{Pod, Zeroable};
use std::ops::Range;

/// The features that one worker keeps, document after document.
///
/// Room for all of them is asked for at once: the system gives it page by page as it is touched, and workers do not
/// wait for one another's mappings.
#[derive(Debug)]
pub(crate) struct Store {
    pub(crate) id: u32,
    pub(crate) values: Vec<u64>,
}

/// Where the features of a chunk's documents are kept.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) store: u32,
    start: usize,
    /// Behind each document, from `start`.
    ends: Vec<u32>,
}

impl Store {
    /// The store of worker `id`, with room for `bytes`.
    pub(crate) fn new(id: u32, bytes: u64) -> Self {
        Store { id, values: Vec::with_capacity(usize::try_from(bytes / 8).unwrap_or(0)) }
    }

    /// How many bytes are kept.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.values[..])
    }

    /// Starts to keep the features of a chunk.
    pub(crate) fn start(&self) -> Kept {
        Kept { store: self.id, start: self.values.len(), ends: Vec::new() }
    }

    /// Keeps the features of the chunk's next document; `None`, and those of the chunk's others are given up, if there
    /// is no room.
    pub(crate) fn keep(&mut self, features: &[u64], kept: Option<Kept>) -> Option<Kept> {
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
    pub(crate) fn span(&self, index: usize) -> Span {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        Span { arena: self.store, start: self.start as u64 + u64::from(start), len: self.ends[index] - start }
    }
}

/// Where features are.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Span {
    pub(crate) start: u64,
    pub(crate) arena: u32,
    pub(crate) len: u32,
}

impl Span {
    /// The same as a range.
    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }
}
