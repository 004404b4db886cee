//! Content hashes, which find documents with the same content.

use super::group::Group;
use crate::cluster::{Buckets, KeyShare};
use crate::hash::fmix64;
use bytemuck::{Pod, Zeroable};

/// A hash of all features of a document.
///
/// It is equal for two documents exactly if they have the same shingles equally often, in any order (but for a chance
/// of 2⁻¹²⁸).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct ContentHash {
    sums: [u64; 2],
    shingles: u64,
}

impl ContentHash {
    pub(super) fn new(sums: [u64; 2], shingles: usize) -> Self {
        ContentHash { sums, shingles: shingles as u64 }
    }

    /// The content hash of features that are mixed already.
    pub(crate) fn of(features: &[u64]) -> Self {
        let sums = features.iter().fold([0_u64; 2], |[first, second], &feature| {
            let mixed = fmix64(feature ^ 1);
            [first.wrapping_add(mixed), second.wrapping_add(fmix64(mixed ^ 1))]
        });
        Self::new(sums, features.len())
    }

    /// The content hash of the features of both.
    pub(super) fn with(self, other: Self) -> Self {
        let sums = std::array::from_fn(|index| self.sums[index].wrapping_add(other.sums[index]));
        ContentHash { sums, shingles: self.shingles + other.shingles }
    }

    /// Whether the document has no features. Such a document is no duplicate of anything.
    pub fn is_empty(self) -> bool {
        self.shingles == 0
    }

    /// The number of shingles in the document, with repetitions.
    pub fn shingles(self) -> u64 {
        self.shingles
    }

    /// The hash within `group`. Copies in different groups get different hashes.
    pub fn within(self, group: Group) -> Self {
        let sums = std::array::from_fn(|index| fmix64(self.sums[index] ^ group.0[index]));
        ContentHash { sums, ..self }
    }

    /// Its three numbers, for files: two sums, and the number of shingles.
    pub fn to_parts(self) -> [u64; 3] {
        [self.sums[0], self.sums[1], self.shingles]
    }

    /// The content hash that has these [parts](ContentHash::to_parts).
    pub fn of_parts([first, second, shingles]: [u64; 3]) -> Self {
        ContentHash { sums: [first, second], shingles }
    }

    /// 64 of its bits, for grouping.
    pub fn key(self) -> u64 {
        self.sums[0]
    }
}

/// The content hashes of documents.
#[derive(Clone, Debug, Default)]
pub struct Contents(pub(crate) Vec<ContentHash>);

impl Contents {
    /// See [`originals`].
    pub(crate) fn originals(&self) -> Vec<u32> {
        originals(&self.0, 1)
    }

    /// Puts the last document into `group`.
    pub(crate) fn put_last_into(&mut self, group: Group) {
        if let Some(last) = self.0.last_mut() {
            *last = last.within(group);
        }
    }

    /// The hashes, one for each document.
    pub fn as_slice(&self) -> &[ContentHash] {
        &self.0
    }
}

impl From<Vec<ContentHash>> for Contents {
    fn from(contents: Vec<ContentHash>) -> Self {
        Contents(contents)
    }
}

/// The original of every document, which is the first document with the same content. A document without features is
/// its own original.
///
/// The work is done in `parts` parts, one after the other. Each takes 32 bytes for each of its documents.
pub fn originals(contents: &[ContentHash], parts: u32) -> Vec<u32> {
    let content = |document: u32| contents[document as usize];
    let count = contents.len() as u32;
    let mut originals: Vec<u32> = (0..count).collect();
    for share in KeyShare::all(parts) {
        let mut pairs: Vec<(u64, u32)> = Vec::with_capacity(share.of(contents.len()));
        let with_content = (0..count).map(|document| (content(document), document));
        pairs.extend(
            with_content
                .filter(|(content, _)| !content.is_empty() && share.has(content.key()))
                .map(|(content, document)| (content.key(), document)),
        );
        for bucket in Buckets::group(&pairs).iter() {
            let mut bucket = bucket.to_vec();
            // Sorted by the whole hash, then by position. The first document of each run is the original.
            bucket.sort_unstable_by_key(|&document| (content(document), document));
            for same in bucket.chunk_by(|&a, &b| content(a) == content(b)) {
                for &document in same {
                    originals[document as usize] = same[0];
                }
            }
        }
    }
    originals
}
