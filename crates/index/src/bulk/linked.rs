//! The clusters of an index at one moment.

use crate::error::Error;
use lookalike::cluster::{Buckets, UnionFind};
use rayon::prelude::*;

/// The documents of an index that are in clusters, and these clusters. All other documents are alone, and take no memory here.
#[derive(Debug)]
pub struct LinkedDocuments {
    /// The documents that occur in links, by their numbers in the whole index, ascending.
    documents: Vec<u64>,
    /// The clusters, by places in `documents`.
    sets: UnionFind,
}

impl LinkedDocuments {
    /// The clusters that these links make. Links hold numbers in the whole index.
    ///
    /// # Errors
    /// [`Error::TooManyLinked`] if 2³² documents or more are linked.
    pub(crate) fn new(links: &[&[[u64; 2]]]) -> Result<Self, Error> {
        Self::of(links.concat().into_flattened(), links.iter().copied().flatten().copied())
    }

    /// The clusters that `links` make. Their documents are in `documents`, in any order and any number of times.
    ///
    /// # Errors
    /// [`Error::TooManyLinked`] if 2³² documents or more are linked.
    pub(crate) fn of(mut documents: Vec<u64>, links: impl Iterator<Item = [u64; 2]>) -> Result<Self, Error> {
        documents.par_sort_unstable();
        documents.dedup();
        documents.shrink_to_fit();
        if documents.len() as u64 > u64::from(u32::MAX) {
            return Err(Error::TooManyLinked { documents: documents.len() as u64 });
        }
        let mut sets = UnionFind::new(documents.len());
        let place = |number: u64| documents.partition_point(|&before| before < number) as u32;
        links.for_each(|[a, b]| sets.unite(place(a), place(b)));
        Ok(LinkedDocuments { documents, sets })
    }

    /// The clusters of the documents that are not dead, and of two of them at least. Documents that were connected by dead ones stay together.
    /// Returns with them each dead document with another one that stands for it, ascending: the first living one of its cluster, or the first of
    /// all if none is alive.
    ///
    /// # Errors
    /// Those of `is_dead`.
    pub(crate) fn living(
        self,
        mut is_dead: impl FnMut(u64) -> Result<bool, Error>,
    ) -> Result<(Self, Vec<[u64; 2]>), Error> {
        let (documents, clusters) = self.into_buckets();
        let dead = documents.iter().map(|&number| is_dead(number)).collect::<Result<Vec<bool>, _>>()?;
        let is_living = |&&place: &&u32| !dead[place as usize];
        let document = |place: u32| documents[place as usize];
        // For each living document that is not alone the place of the first one of its cluster.
        let mut first_of: Vec<Option<u32>> = vec![None; documents.len()];
        let mut heirs = Vec::new();
        for members in clusters.iter() {
            let first = members.iter().find(is_living).copied().unwrap_or(members[0]);
            let dead = members.iter().filter(|&place| *place != first && !is_living(&place));
            heirs.extend(dead.map(|&place| [document(place), document(first)]));
            let living = members.iter().filter(is_living);
            if living.clone().nth(1).is_some() {
                living.for_each(|&place| first_of[place as usize] = Some(first));
            }
        }
        heirs.sort_unstable();
        let kept =
            || documents.iter().zip(&first_of).filter_map(|(&number, first)| Some((number, (*first)?)));
        let links = kept().map(|(number, first)| [document(first), number]);
        Ok((Self::of(kept().map(|(number, _)| number).collect(), links)?, heirs))
    }

    /// The documents that occur in links, ascending.
    pub(crate) fn documents(&self) -> &[u64] {
        &self.documents
    }

    /// The first document of the cluster of `number`; `number` itself, if that is the first, or if it is in no cluster.
    pub(crate) fn first(&mut self, number: u64) -> u64 {
        self.cluster(number).unwrap_or(number)
    }

    /// The first document of the cluster of `number`, or `None` if it is in no cluster.
    pub fn cluster(&mut self, number: u64) -> Option<u64> {
        let place = self.documents.binary_search(&number).ok()?;
        Some(self.documents[self.sets.find(place as u32) as usize])
    }

    /// The documents that occur in links, ascending, and their clusters, by places in these.
    pub(crate) fn into_buckets(self) -> (Vec<u64>, Buckets) {
        (self.documents, self.sets.into_buckets())
    }

    /// The number of clusters, and the number of documents in them.
    pub(crate) fn count(self) -> (u64, u64) {
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
        fn numbers_of_64_bits_make_the_same_clusters_as_small_ones(
            links in prop::collection::vec([0..40_u32, 0..40], 0..30), cut in 0..30_usize, base in prop::sample::select(vec![0, 7, u64::from(u32::MAX) - 20, 1 << 40]),
        ) {
            let wide: Vec<[u64; 2]> = links.iter().map(|link| link.map(|document| base + u64::from(document))).collect();
            let (front, back) = wide.split_at(cut.min(wide.len()));
            let mut linked = LinkedDocuments::new(&[front, back]).unwrap();
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
