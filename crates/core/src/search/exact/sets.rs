//! The sets of a join. Only sets of the same group are compared.

use crate::sketch::DocumentGroups;

/// The features of documents, and the groups within which documents are compared.
#[derive(Clone, Debug)]
pub struct GroupedSets<'a> {
    /// The features of each document. Empty for documents that take no part.
    pub sets: Vec<&'a [u64]>,
    /// The groups of the documents.
    pub groups: DocumentGroups<'a>,
}

impl<'a> From<Vec<&'a [u64]>> for GroupedSets<'a> {
    /// Puts all sets into one group.
    fn from(sets: Vec<&'a [u64]>) -> Self {
        GroupedSets { sets, groups: DocumentGroups::default() }
    }
}

impl<'a> GroupedSets<'a> {
    /// The features of `document` as they are counted and indexed.
    pub(super) fn salted(&self, document: u32) -> Salted<'a> {
        Salted { features: self.sets[document as usize], salt: self.groups.mask(document) as u64 }
    }
}

/// Features as they are counted and indexed: with bits flipped that are the same for all documents of a group. A
/// feature thereby differs between groups, and no set visits sets of other groups.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Salted<'a> {
    pub(super) features: &'a [u64],
    pub(super) salt: u64,
}

impl<'a> From<&'a [u64]> for Salted<'a> {
    fn from(features: &'a [u64]) -> Self {
        Salted { features, salt: 0 }
    }
}
