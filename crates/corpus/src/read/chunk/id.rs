//! The number of a chunk.

/// The number of a chunk, which is the same in every scan. In this order, chunks have their documents in input order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkId {
    /// The index of the file in [`Inputs::files`](crate::Inputs::files). For a batch of files, the first one.
    pub file: u32,
    /// The place among the chunks of the file, counted from 0.
    pub sequence: u32,
}
