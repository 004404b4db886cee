use super::pairs::Pair;
use crate::cluster::UnionFind;

/// Clusters that share no document. A document in none of them is a cluster of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// The first member of each document's cluster.
    firsts: Vec<u32>,
}

impl Partition {
    /// The partition into `sets`.
    pub fn new(sets: &mut UnionFind) -> Self {
        Partition { firsts: sets.roots() }
    }

    /// The sizes of the clusters of two or more documents, in no particular order.
    pub fn sizes(&self) -> Vec<u64> {
        let mut sizes = vec![0_u64; self.firsts.len()];
        self.firsts.iter().for_each(|&first| sizes[first as usize] += 1);
        sizes.retain(|&size| size > 1);
        sizes
    }

    /// The number of pairs of documents within a cluster.
    pub fn pairs(&self) -> u64 {
        self.sizes().into_iter().map(pairs_of).sum()
    }

    /// Whether both documents are in the same cluster.
    pub fn together(&self, a: u32, b: u32) -> bool {
        self.firsts[a as usize] == self.firsts[b as usize]
    }

    /// The number of pairs that are together both here and in `other`, a partition of the same documents.
    pub fn pairs_in_both(&self, other: &Partition) -> u64 {
        let mut cells: Vec<(u32, u32)> =
            self.firsts.iter().zip(&other.firsts).map(|(&here, &there)| (here, there)).collect();
        cells.sort_unstable();
        cells.chunk_by(|a, b| a == b).map(|cell| pairs_of(cell.len() as u64)).sum()
    }

    /// Visits the pairs of `members` that are in different clusters, in the order of `members`.
    ///
    /// Consecutive members of the same cluster are skipped at once. Between two such runs of a cluster there is always
    /// a pair to visit. The time is therefore proportional to the numbers of members and visited pairs.
    pub(super) fn try_for_each_apart<E>(
        &self,
        members: &[u32],
        visit: &mut impl FnMut(Pair) -> Result<(), E>,
    ) -> Result<(), E> {
        let first = |member: u32| self.firsts[member as usize];
        let runs: Vec<&[u32]> = members.chunk_by(|&a, &b| first(a) == first(b)).collect();
        for (index, run) in runs.iter().enumerate() {
            for &a in *run {
                let apart = runs[index + 1..].iter().filter(|other| first(other[0]) != first(a));
                apart.flat_map(|run| *run).try_for_each(|&b| visit(Pair { a, b, value: None }))?;
            }
        }
        Ok(())
    }

    /// The clusters of two or more documents, in ascending order of their first members. Members ascend.
    pub fn clusters(&self) -> Vec<Vec<u32>> {
        let mut sets = UnionFind::new(self.firsts.len());
        (0..).zip(&self.firsts).for_each(|(document, &first)| sets.unite(first, document));
        sets.clusters()
    }
}

/// The number of pairs among `documents` documents.
pub(super) fn pairs_of(documents: u64) -> u64 {
    // One of the two factors is even. It is halved first, so 2³² documents do not overflow.
    match documents {
        0 => 0,
        even if even % 2 == 0 => even / 2 * (even - 1),
        odd => odd * ((odd - 1) / 2),
    }
}
