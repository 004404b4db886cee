//! Groups of documents: only documents of one group are compared.

use crate::hash::fmix64;
use bytemuck::{Pod, Zeroable};

/// What the documents of a group have in common, as 128 bits that are well mixed: two groups are equal if these are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct Group(pub [u64; 2]);

impl Group {
    /// What stands for a key in this group: equal keys stay equal, and those of other groups differ, but for one in 2⁶⁴.
    pub(crate) fn key(self, key: u64) -> u64 {
        fmix64(key ^ self.0[0])
    }
}

/// The group of each document; by default all are in one.
#[derive(Clone, Copy, Debug, Default)]
pub struct DocumentGroups<'a>(&'a [Group]);

impl<'a> DocumentGroups<'a> {
    /// Of documents in their order; none, if all are in one group.
    pub fn new(groups: &'a [Group]) -> Self {
        DocumentGroups(groups)
    }

    /// Are the two documents in one group?
    #[inline]
    pub fn are_together(self, a: u32, b: u32) -> bool {
        self.0.is_empty() || self.0[a as usize] == self.0[b as usize]
    }

    /// Bits that are the same for all documents of a group, and 0 if there is but one.
    pub(crate) fn mask(self, document: u32) -> u128 {
        let Some(Group([low, high])) = self.0.get(document as usize) else { return 0 };
        u128::from(*high) << 64 | u128::from(*low)
    }
}
