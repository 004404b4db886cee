//! The families of large buckets: the documents that are joined together.

use crate::cluster::{Buckets, UnionFind};

/// Documents from which a bucket is searched as part of its family. Below, it is faster to compare the signatures of
/// all pairs than to read the documents.
pub(crate) const LARGE: usize = 256;

/// The documents of large buckets, grouped into families. Documents of one bucket are in one family.
#[derive(Clone, Debug, Default)]
pub struct Families {
    /// The family number of each document, or [`NONE`]. Empty if there are no families.
    of: Vec<u32>,
    members: Buckets,
}

/// The family number of documents that are in no family.
const NONE: u32 = u32::MAX;

impl Families {
    /// The families of `documents` documents, made from their `buckets`.
    pub fn of_buckets<'b>(documents: usize, buckets: impl Iterator<Item = &'b [u32]>) -> Self {
        let large = buckets.filter(|bucket| Self::are_large(bucket.len()));
        Self::of_links(
            documents,
            large.flat_map(|bucket| bucket.iter().map(|&document| (bucket[0], document))),
        )
    }

    /// The families of `documents` documents. Each pair of `links` is in one family.
    pub(crate) fn of_links(documents: usize, links: impl Iterator<Item = (u32, u32)>) -> Self {
        let mut sets: Option<UnionFind> = None;
        for (a, b) in links {
            sets.get_or_insert_with(|| UnionFind::new(documents)).unite(a, b);
        }
        sets.map_or_else(Families::default, |sets| Self::of_sets(documents, sets))
    }

    fn of_sets(documents: usize, sets: UnionFind) -> Self {
        let members = sets.into_buckets();
        let mut of = vec![NONE; documents];
        for (family, members) in (0..).zip(members.iter()) {
            members.iter().for_each(|&document| of[document as usize] = family);
        }
        Families { of, members }
    }

    /// Whether a bucket of `documents` documents is searched with its family.
    pub fn are_large(documents: usize) -> bool {
        documents > LARGE
    }

    /// The approximate number of pairs compared in a bucket of `documents` documents. It is the number of all pairs, or
    /// for each document as many as in the largest bucket that is searched pair by pair.
    pub fn pairs_of(documents: usize) -> u64 {
        documents as u64 * (documents.min(LARGE) as u64).saturating_sub(1) / 2
    }

    /// Whether both documents are in one family.
    #[inline]
    pub fn join(&self, a: u32, b: u32) -> bool {
        match self.of.get(a as usize) {
            None | Some(&NONE) => false,
            family => family == self.of.get(b as usize),
        }
    }

    /// The documents of each family, ascending.
    pub fn members(&self) -> impl Iterator<Item = &[u32]> {
        self.members.iter()
    }

    /// Whether there are no large buckets.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_of_large_buckets_that_overlap_are_one_family() {
        let large = LARGE as u32 + 1;
        let buckets: [Vec<u32>; 4] = [
            (0..large).collect(),
            (large - 1..2 * large).collect(),
            (3 * large..4 * large).collect(),
            vec![1, 3 * large - 1],
        ];
        let families = Families::of_buckets(5 * large as usize, buckets.iter().map(Vec::as_slice));
        let members: Vec<(u32, usize)> =
            families.members().map(|members| (members[0], members.len())).collect();
        assert_eq!(members, [(0, 2 * large as usize), (3 * large, large as usize)]);
        assert!(families.join(0, 2 * large - 1) && !families.join(0, 3 * large));
        assert!(!families.join(1, 3 * large - 1) && !families.join(4 * large, 4 * large + 1));
        assert!(Families::of_buckets(10, buckets[3..].iter().map(Vec::as_slice)).is_empty());
    }
}
