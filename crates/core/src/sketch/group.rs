//! Groups of documents. Only documents of the same group are compared.
//!
//! A group is 128 bits of a document's values (`group`). It is mixed into the content hash and the band keys when a
//! document is sketched. It flips the same bits in all fingerprints of a group when they are joined, so distances
//! within a group stay the same. The exact join mixes it into the features that it counts. Copies, buckets, families
//! and postings then hold documents of one group only. A page that is in a hundred dumps costs as much as a hundred
//! pages. Keys of 64 bits may be equal by chance, so the groups of a pair are compared first.

use crate::hash::fmix64;
use bytemuck::{Pod, Zeroable};

/// A group, named by 128 well-mixed bits. Equal bits mean the same group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct Group(pub [u64; 2]);

impl Group {
    /// The key within this group. Equal keys stay equal, and keys of other groups differ, but for one in 2⁶⁴.
    pub(crate) fn key(self, key: u64) -> u64 {
        fmix64(key ^ self.0[0])
    }
}

/// The group of each document. By default, all documents are in one group.
#[derive(Clone, Copy, Debug, Default)]
pub struct DocumentGroups<'a>(&'a [Group]);

impl<'a> DocumentGroups<'a> {
    /// The groups of documents, in their order. An empty slice puts all documents into one group.
    pub fn new(groups: &'a [Group]) -> Self {
        DocumentGroups(groups)
    }

    /// Whether two documents are in the same group.
    #[inline]
    pub fn are_together(self, a: u32, b: u32) -> bool {
        self.0.is_empty() || self.0[a as usize] == self.0[b as usize]
    }

    /// Bits that are the same for all documents of a group. 0 if there is only one group.
    pub(crate) fn mask(self, document: u32) -> u128 {
        let Some(Group([low, high])) = self.0.get(document as usize) else { return 0 };
        u128::from(*high) << 64 | u128::from(*low)
    }
}
