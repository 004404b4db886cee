//! The clusters of an index that grows.

use crate::bulk::linked::LinkedDocuments;
use crate::error::Error;
use crate::index::Index;
use lookalike::cluster::Buckets;
use std::collections::HashMap;
use std::sync::Arc;

/// Stands for the cluster of a document that is linked to itself.
const ALONE: u32 = u32::MAX;

/// The clusters of an index. Documents that are alone take no memory, those in clusters 16 bytes. A copy shares these.
///
/// Links that come later are kept beside the clusters of the beginning.
#[derive(Clone, Debug)]
pub struct Clusters {
    beginning: Arc<Beginning>,
    /// For the root of a cluster that was united with another the root of that one, or one that leads to it.
    next: HashMap<u64, u64>,
    /// For each root of a cluster that was united with others the roots of all of them, with its own.
    united: HashMap<u64, Vec<u64>>,
}

/// The clusters of the beginning.
#[derive(Debug)]
struct Beginning {
    /// The documents in clusters, ascending.
    documents: Vec<u64>,
    /// The cluster of each of them, or [`ALONE`].
    cluster_of: Vec<u32>,
    /// The members of each cluster, as places in `documents`.
    clusters: Buckets,
}

impl Beginning {
    fn new(linked: LinkedDocuments) -> Self {
        let (documents, clusters) = linked.into_buckets();
        let mut cluster_of = vec![ALONE; documents.len()];
        for (cluster, members) in (0..).zip(clusters.iter()) {
            members.iter().for_each(|&place| cluster_of[place as usize] = cluster);
        }
        Beginning { documents, cluster_of, clusters }
    }

    /// The members of the cluster of `number`, ascending, or `None` if it was alone.
    fn members(&self, number: u64) -> Option<impl Iterator<Item = u64>> {
        let place = self.documents.binary_search(&number).ok()?;
        let cluster = Some(self.cluster_of[place]).filter(|&cluster| cluster != ALONE)?;
        let members = self.clusters.bucket(cluster as usize);
        Some(members.iter().map(|&place| self.documents[place as usize]))
    }
}

impl Index {
    /// The clusters of its documents.
    ///
    /// # Errors
    /// [`Error`] if the index is damaged, or if 2³² documents or more are in clusters.
    pub fn clusters(&self) -> Result<Clusters, Error> {
        Ok(Clusters::new(self.linked().map_err(Error::of_index)?))
    }
}

impl Clusters {
    fn new(linked: LinkedDocuments) -> Self {
        let beginning = Arc::new(Beginning::new(linked));
        Clusters { beginning, next: HashMap::new(), united: HashMap::new() }
    }

    /// The document that stands for the cluster of `number`: the same one for all members, until the cluster is united with another one.
    pub fn root(&self, number: u64) -> u64 {
        let mut root =
            self.beginning.members(number).and_then(|mut members| members.next()).unwrap_or(number);
        while let Some(&next) = self.next.get(&root) {
            root = next;
        }
        root
    }

    /// Unites the clusters of two documents.
    pub fn unite(&mut self, a: u64, b: u64) {
        let roots = [self.root(a), self.root(b)];
        if roots[0] == roots[1] {
            return;
        }
        let size = |root: u64| self.united.get(&root).map_or(1, Vec::len);
        // The smaller list moves, so that each is moved rarely, and chains of roots are short.
        let [small, large] = if size(roots[0]) <= size(roots[1]) { roots } else { [roots[1], roots[0]] };
        let moved = self.united.remove(&small).unwrap_or_else(|| vec![small]);
        self.united.entry(large).or_insert_with(|| vec![large]).extend(moved);
        self.next.insert(small, large);
    }

    /// The members of the cluster of `number`, ascending: `number` alone if it is in none.
    pub fn members(&self, number: u64) -> Vec<u64> {
        let root = self.root(number);
        let alone = [root];
        let roots = self.united.get(&root).map_or(&alone[..], |roots| &roots[..]);
        let mut members = Vec::new();
        for &root in roots {
            match self.beginning.members(root) {
                Some(of_root) => members.extend(of_root),
                None => members.push(root),
            }
        }
        members.sort_unstable();
        members
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::cluster::UnionFind;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn clusters_are_those_of_all_links_whenever_they_came(
            links in prop::collection::vec([0..40_u64, 0..40], 0..40), cut in 0..40_usize, base in prop::sample::select(vec![0, 1 << 40]),
        ) {
            let (before, after) = links.split_at(cut.min(links.len()));
            let before: Vec<[u64; 2]> = before.iter().map(|link| link.map(|number| base + number)).collect();
            let mut clusters = Clusters::new(LinkedDocuments::new(&[&before]).unwrap());
            after.iter().for_each(|&[a, b]| clusters.unite(base + a, base + b));
            let mut sets = UnionFind::new(40);
            links.iter().for_each(|&[a, b]| sets.unite(a as u32, b as u32));
            for number in 0..40 {
                let same = |&other: &u64| sets.clone().find(other as u32) == sets.clone().find(number as u32);
                let expected: Vec<u64> = (0..40).filter(same).map(|number| base + number).collect();
                prop_assert_eq!(clusters.members(base + number), expected.clone());
                prop_assert!(expected.iter().all(|&member| clusters.root(member) == clusters.root(base + number)));
            }
        }
    }
}
