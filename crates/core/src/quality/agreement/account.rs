use super::counts::Agreement;
use super::pairs::{Pair, PairSet};
use super::partition::Partition;
use crate::cluster::UnionFind;
use std::borrow::Cow;

/// An account of the documents that are similar.
#[derive(Clone, Debug, PartialEq)]
pub enum Account {
    /// Pairs. Two documents that are similar to a third need not be similar.
    Pairs(PairSet),
    /// Clusters. All members of a cluster are similar.
    Clusters(Partition),
}

impl Account {
    /// The number of similar pairs.
    pub fn pairs(&self) -> u64 {
        match self {
            Account::Pairs(set) => set.pairs().len() as u64,
            Account::Clusters(partition) => partition.pairs(),
        }
    }

    /// The listed pairs. An account by clusters lists none.
    pub fn listed_pairs(&self) -> &[Pair] {
        match self {
            Account::Pairs(set) => set.pairs(),
            Account::Clusters(_) => &[],
        }
    }

    /// Whether these two documents are similar.
    pub fn contains(&self, a: u32, b: u32) -> bool {
        match self {
            Account::Pairs(set) => set.contains(a, b),
            Account::Clusters(partition) => partition.together(a, b),
        }
    }

    /// The clusters of `documents` documents. Pairs are joined into clusters first.
    pub fn partition(&self, documents: usize) -> Cow<'_, Partition> {
        match self {
            Account::Pairs(set) => {
                let mut sets = UnionFind::new(documents);
                set.pairs().iter().for_each(|pair| sets.unite(pair.a, pair.b));
                Cow::Owned(Partition::new(&mut sets))
            }
            Account::Clusters(partition) => Cow::Borrowed(partition),
        }
    }

    /// The numbers of pairs in this account, in the `truth`, and in both.
    pub fn agreement(&self, truth: &Account) -> Agreement {
        let both = match (self, truth) {
            (Account::Clusters(found), Account::Clusters(truth)) => found.pairs_in_both(truth),
            (Account::Pairs(set), other) | (other, Account::Pairs(set)) => {
                set.pairs().iter().filter(|pair| other.contains(pair.a, pair.b)).count() as u64
            }
        };
        Agreement { found: self.pairs(), truth: truth.pairs(), both }
    }

    /// Visits the pairs that this account has and `other` does not have.
    ///
    /// Listed pairs are visited in order of their documents, pairs of clusters cluster by cluster. If both accounts
    /// have clusters, the pairs in both take no time.
    ///
    /// # Errors
    /// The first error of `visit`, which is then not called again.
    pub fn try_for_each_missing_in<E>(
        &self,
        other: &Account,
        mut visit: impl FnMut(Pair) -> Result<(), E>,
    ) -> Result<(), E> {
        if let (Account::Clusters(partition), Account::Clusters(other)) = (self, other) {
            let mut clusters = partition.clusters().into_iter();
            return clusters.try_for_each(|members| other.try_for_each_apart(&members, &mut visit));
        }
        let mut visit = |pair: Pair| if other.contains(pair.a, pair.b) { Ok(()) } else { visit(pair) };
        match self {
            Account::Pairs(set) => set.pairs().iter().try_for_each(|pair| visit(*pair)),
            Account::Clusters(partition) => partition.clusters().iter().try_for_each(|members| {
                members.iter().enumerate().try_for_each(|(index, &a)| {
                    members[index + 1..].iter().try_for_each(|&b| visit(Pair { a, b, value: None }))
                })
            }),
        }
    }
}
