//! What is joined: sets of features, of which only those of one group are compared.

use crate::sketch::DocumentGroups;

/// The features of documents, and which of these may be compared.
#[derive(Clone, Debug)]
pub struct GroupedSets<'a> {
    /// The features of each document; none of those that take no part.
    pub sets: Vec<&'a [u64]>,
    /// The groups of the documents.
    pub groups: DocumentGroups<'a>,
}

impl<'a> From<Vec<&'a [u64]>> for GroupedSets<'a> {
    /// Sets of one group.
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

/// Features as they are counted and indexed: each with bits flipped that are the same for a group. A feature is then another
/// one in each group, so that no set looks at sets of other groups.
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
