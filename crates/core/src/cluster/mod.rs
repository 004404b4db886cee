//! Clusters: the documents that verified pairs connect, and the choice of the one to keep.
//!
//! ```
//! use lookalike::cluster::{KeepPolicy, UnionFind};
//!
//! let lengths = [10.0, 30.0, 20.0, 5.0];
//! let mut clusters = UnionFind::new(4);
//! clusters.unite(0, 2);
//! clusters.unite(1, 2);
//! assert_eq!(clusters.clusters(), [[0, 1, 2]]);
//! let kept = KeepPolicy::Longest.choose(&[0, 1, 2], |document| Some(lengths[document as usize]));
//! assert_eq!(kept, 1);
//! ```

mod buckets;
pub(crate) mod partners;
pub(crate) mod stars;

pub use buckets::{Buckets, KeyShare};
pub use stars::Stars;

use std::cmp::Ordering;

/// Sets of documents that are merged pair by pair. The root of a set is its first document.
///
/// Source: Tarjan, "Efficiency of a good but not linear set union algorithm", 1975 (with path halving). The root is the
/// smallest member, which makes results independent of the order of merges.
#[derive(Clone, Debug)]
pub struct UnionFind(Vec<u32>);

impl UnionFind {
    /// `documents` sets of one document each.
    pub fn new(documents: usize) -> Self {
        UnionFind((0..documents as u32).collect())
    }

    /// The first document in the set of `document`.
    pub fn find(&mut self, mut document: u32) -> u32 {
        loop {
            let parent = self.0[document as usize];
            if parent == document {
                return document;
            }
            let grandparent = self.0[parent as usize];
            self.0[document as usize] = grandparent;
            document = grandparent;
        }
    }

    /// Merges the sets of `a` and `b`.
    pub fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b) as usize] = a.min(b);
    }

    /// The first document of every document's set.
    pub fn roots(&mut self) -> Vec<u32> {
        (0..self.0.len() as u32).map(|document| self.find(document)).collect()
    }

    /// Updates `roots`, an earlier result of [`UnionFind::roots`], after more sets were merged.
    ///
    /// # Panics
    /// If `roots` covers more documents than there are here.
    pub fn update(&mut self, roots: &mut [u32]) {
        roots.iter_mut().for_each(|root| *root = self.find(*root));
    }

    /// The sets of two or more documents, in the order of their first documents. Members ascend.
    pub fn clusters(&mut self) -> Vec<Vec<u32>> {
        self.clone().into_buckets().iter().map(<[u32]>::to_vec).collect()
    }

    /// The same sets, stored one behind the other.
    ///
    /// This takes four bytes for each document and ten for each document in a set. A list for every set would take
    /// three times as much.
    pub fn into_buckets(self) -> Buckets {
        let UnionFind(mut roots) = self;
        // Earlier documents already have their root.
        for document in 0..roots.len() {
            roots[document] = roots[roots[document] as usize];
        }
        let mut next = vec![0_u32; roots.len()];
        for &root in &roots {
            next[root as usize] += 1;
        }
        let mut ends = Vec::with_capacity(next.iter().filter(|&&size| size > 1).count());
        let mut end = 0;
        for place in &mut next {
            let size = std::mem::replace(place, ALONE);
            if size > 1 {
                *place = end;
                end += size;
                ends.push(end);
            }
        }
        let mut documents = vec![0; end as usize];
        for (document, &root) in (0..).zip(&roots) {
            let place = &mut next[root as usize];
            if *place != ALONE {
                documents[*place as usize] = document;
                *place += 1;
            }
        }
        Buckets::from_parts(documents, ends)
    }
}

/// The place of documents that are in no set of two or more.
const ALONE: u32 = u32::MAX;

/// The rule that chooses which member of a cluster is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum KeepPolicy {
    /// The first in input order.
    #[default]
    First,
    /// The last in input order.
    Last,
    /// The one whose text takes the most bytes. Ties go to the first.
    Longest,
    /// The one with the greatest number. Ties go to the first, and any number beats none.
    Max,
    /// The one with the least number. Ties go to the first, and any number beats none.
    Min,
}

impl KeepPolicy {
    /// The member of `cluster` to keep. `rank` gives a member's length (for [`KeepPolicy::Longest`]) or number (for
    /// [`KeepPolicy::Max`] and [`KeepPolicy::Min`]), or `None` if it has none.
    ///
    /// # Panics
    /// If `cluster` is empty.
    pub fn choose<R: PartialOrd>(&self, cluster: &[u32], rank: impl Fn(u32) -> Option<R>) -> u32 {
        let order = |a: &u32, b: &u32| self.order(rank(*a), rank(*b));
        let best = || cluster.iter().copied().reduce(|a, b| if order(&a, &b).is_gt() { b } else { a });
        match self {
            KeepPolicy::First => cluster.first().copied(),
            KeepPolicy::Last => cluster.last().copied(),
            KeepPolicy::Longest | KeepPolicy::Max | KeepPolicy::Min => best(),
        }
        .expect("a cluster has members")
    }

    /// Sorts `documents`, which ascend, by preference. The first of any remaining documents is then the one that
    /// [`KeepPolicy::choose`] would choose.
    pub fn sort<R: PartialOrd>(&self, documents: &mut [u32], rank: impl Fn(u32) -> Option<R>) {
        match self {
            KeepPolicy::First => {}
            KeepPolicy::Last => documents.reverse(),
            KeepPolicy::Longest | KeepPolicy::Max | KeepPolicy::Min => {
                // The sort is stable: ties go to the first document. 0 and -0 are equal.
                documents.sort_by(|&a, &b| self.order(rank(a), rank(b)));
            }
        }
    }

    /// The order of two documents by their ranks. The preferred one is less. A rank that is not equal to itself, such as NaN, is none.
    fn order<R: PartialOrd>(&self, a: Option<R>, b: Option<R>) -> Ordering {
        let [a, b] = [a, b].map(|rank| rank.filter(|rank| rank.partial_cmp(rank).is_some()));
        match (&a, &b) {
            (Some(a), Some(b)) => match self {
                KeepPolicy::Min => a.partial_cmp(b),
                KeepPolicy::First | KeepPolicy::Last | KeepPolicy::Longest | KeepPolicy::Max => {
                    b.partial_cmp(a)
                }
            },
            _ => b.is_some().partial_cmp(&a.is_some()),
        }
        .unwrap_or(Ordering::Equal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_do_not_depend_on_the_order_of_merges() {
        let pairs = [(1, 2), (2, 5), (7, 3), (3, 8), (5, 1)];
        let clusters = |order: &mut dyn Iterator<Item = (u32, u32)>| {
            let mut sets = UnionFind::new(10);
            order.for_each(|(a, b)| sets.unite(a, b));
            sets.clusters()
        };
        let expected = vec![vec![1, 2, 5], vec![3, 7, 8]];
        assert_eq!(clusters(&mut pairs.into_iter()), expected);
        assert_eq!(clusters(&mut pairs.into_iter().rev()), expected);
    }

    #[test]
    fn buckets_are_the_clusters_after_any_look_ups() {
        let mut sets = UnionFind::new(9);
        assert!(sets.clone().into_buckets().is_empty());
        [(8, 7), (7, 3), (5, 4), (3, 2), (4, 8)].into_iter().for_each(|(a, b)| sets.unite(a, b));
        let buckets = sets.clone().into_buckets();
        assert_eq!(buckets.documents(), [2, 3, 4, 5, 7, 8]);
        sets.unite(0, 6);
        let _ = sets.find(8);
        let buckets = sets.into_buckets();
        assert_eq!(buckets.iter().collect::<Vec<_>>(), [&[0, 6][..], &[2, 3, 4, 5, 7, 8]]);
        assert_eq!((buckets.range(0), buckets.range(1)), (0..2, 2..8));
    }

    #[test]
    fn updated_roots_reflect_all_merges() {
        let mut generator = crate::hash::SplitMix64(11);
        let mut sets = UnionFind::new(200);
        let mut roots = sets.roots();
        for _ in 0..20 {
            for _ in 0..8 {
                sets.unite((generator.next() % 200) as u32, (generator.next() % 200) as u32);
            }
            sets.update(&mut roots);
            assert_eq!(roots, sets.roots());
        }
    }

    fn policies() -> [KeepPolicy; 5] {
        [KeepPolicy::First, KeepPolicy::Last, KeepPolicy::Longest, KeepPolicy::Max, KeepPolicy::Min]
    }

    #[test]
    fn each_policy_keeps_its_member() {
        let number = |document: u32| [None, Some(2.0), Some(5.0), Some(5.0), Some(1.0)][document as usize];
        let keep = |policy: KeepPolicy| policy.choose(&[0, 1, 2, 3, 4], number);
        assert_eq!(keep(KeepPolicy::First), 0);
        assert_eq!(keep(KeepPolicy::Last), 4);
        assert_eq!(keep(KeepPolicy::Longest), 2);
        assert_eq!(keep(KeepPolicy::Max), 2);
        assert_eq!(keep(KeepPolicy::Min), 4);
        for policy in policies() {
            let mut left = vec![0, 1, 2, 3, 4];
            policy.sort(&mut left, number);
            while !left.is_empty() {
                let mut ascending = left.clone();
                ascending.sort_unstable();
                assert_eq!(policy.choose(&ascending, number), left.remove(0), "{policy:?}");
            }
        }
        assert_eq!(KeepPolicy::Max.choose(&[0], number), 0);
        let first_is_nan = |document: u32| Some(if document == 0 { f64::NAN } else { 1.0 });
        assert_eq!(KeepPolicy::Max.choose(&[0, 1], first_is_nan), 1);
    }
}
