//! Which documents of an index hang together.

use crate::error::Error;
use lookalike::cluster::UnionFind;
use rayon::prelude::*;

/// Clusters of an index. Only documents that links name take memory, and their numbers may be of 64 bits: all others are alone.
#[derive(Debug)]
pub(super) struct Linked {
    /// Documents that a link names, by their numbers in the whole index; ascending.
    documents: Vec<u64>,
    /// By their places in `documents`, which are in the same order.
    sets: UnionFind,
}

impl Linked {
    /// By links of numbers in the whole index.
    ///
    /// # Errors
    /// [`Error::TooMany`] if 2³² documents or more are linked.
    pub(super) fn by(links: &[&[[u64; 2]]]) -> Result<Self, Error> {
        let mut documents = links.concat().into_flattened();
        documents.par_sort_unstable();
        documents.dedup();
        documents.shrink_to_fit();
        if documents.len() as u64 > u64::from(u32::MAX) {
            return Err(Error::TooMany { documents: documents.len() as u64 });
        }
        let mut sets = UnionFind::new(documents.len());
        let place = |number: u64| documents.partition_point(|&before| before < number) as u32;
        links.iter().copied().flatten().for_each(|&[a, b]| sets.unite(place(a), place(b)));
        Ok(Linked { documents, sets })
    }

    /// The first of all documents that `number` hangs together with: itself, if it is that.
    pub(super) fn first(&mut self, number: u64) -> u64 {
        match self.documents.binary_search(&number) {
            Ok(place) => self.documents[self.sets.find(place as u32) as usize],
            Err(_) => number,
        }
    }

    /// How many clusters of two or more there are, and how many documents are in them.
    pub(super) fn count(self) -> (u64, u64) {
        let clusters = self.sets.into_buckets();
        (clusters.iter().count() as u64, clusters.documents().len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_of_64_bits_hang_together_as_small_ones_do(
            links in prop::collection::vec([0..40_u32, 0..40], 0..30), cut in 0..30_usize, base in prop::sample::select(vec![0, 7, u64::from(u32::MAX) - 20, 1 << 40]),
        ) {
            let wide: Vec<[u64; 2]> = links.iter().map(|link| link.map(|document| base + u64::from(document))).collect();
            let (front, back) = wide.split_at(cut.min(wide.len()));
            let mut linked = Linked::by(&[front, back]).unwrap();
            let mut sets = UnionFind::new(40);
            links.iter().for_each(|&[a, b]| sets.unite(a, b));
            for document in 0..40 {
                prop_assert_eq!(linked.first(base + u64::from(document)), base + u64::from(sets.find(document)));
            }
            let clusters = sets.clusters();
            let expected = (clusters.len() as u64, clusters.iter().map(|members| members.len() as u64).sum::<u64>());
            prop_assert_eq!(linked.count(), expected);
        }
    }
}
