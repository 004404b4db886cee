//! Random links, deaths and compactions, beside sets of a union-find.

use super::*;
use lookalike::cluster::UnionFind;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Documents of a test.
const DOCUMENTS: u32 = 40;

/// What happens to the clusters.
#[derive(Clone, Copy, Debug)]
enum Step {
    Link(u32, u32),
    Die(u32),
    /// A compaction begins.
    Begin,
    /// It ends, and its result takes the place of the clusters.
    End,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let document = || 0..DOCUMENTS;
    let step = prop_oneof![
        8 => (document(), document()).prop_map(|(a, b)| Step::Link(a, b)),
        4 => document().prop_map(Step::Die),
        1 => Just(Step::Begin),
        2 => Just(Step::End),
    ];
    prop::collection::vec(step, 0..120)
}

/// The clusters, and what they should be.
struct Pair {
    clusters: Clusters,
    sets: UnionFind,
    dead: BTreeSet<u32>,
    /// The number of the first document.
    base: u64,
}

impl Pair {
    /// A document is linked only while it is alive.
    fn link(&mut self, a: u32, b: u32) {
        if !self.dead.contains(&a) && !self.dead.contains(&b) {
            self.clusters.unite(self.base + u64::from(a), self.base + u64::from(b));
            self.sets.unite(a, b);
        }
    }

    fn end(&mut self, compaction: Compaction) {
        let is_dead = |number| Ok(self.dead.contains(&((number - self.base) as u32)));
        let compacted = compaction.compact(is_dead).unwrap();
        drop(self.clusters.replace(compacted));
    }

    /// The living members of each cluster, with at least so many.
    fn expected(&mut self, least: usize) -> Vec<Vec<u64>> {
        let roots = self.sets.roots();
        let of_root = |root: u32| {
            let members = (0..DOCUMENTS).filter(|&member| roots[member as usize] == root);
            let living = members.filter(|member| !self.dead.contains(member));
            living.map(|member| self.base + u64::from(member)).collect::<Vec<_>>()
        };
        (0..DOCUMENTS).map(of_root).filter(|members| members.len() >= least).collect()
    }

    fn check(&mut self) -> Result<(), TestCaseError> {
        let mut roots = BTreeSet::new();
        for expected in self.expected(1) {
            let root = self.clusters.root(expected[0]);
            prop_assert!(roots.insert(root), "two clusters have one root");
            for &number in &expected {
                let mut members = self.clusters.members(number);
                prop_assert!(members.is_sorted());
                members.retain(|member| !self.dead.contains(&((member - self.base) as u32)));
                prop_assert_eq!(&members, &expected);
                prop_assert_eq!(self.clusters.root(number), root);
            }
        }
        Ok(())
    }
}

proptest! {
    #[test]
    fn clusters_are_those_of_all_links_whoever_died_and_whenever_they_were_compacted(
        before in prop::collection::vec([0..DOCUMENTS, 0..DOCUMENTS], 0..20), steps in steps(), base in prop::sample::select(vec![0, 1 << 40]),
    ) {
        let wide: Vec<[u64; 2]> = before.iter().map(|link| link.map(|number| base + u64::from(number))).collect();
        let clusters = Clusters::new(LinkedDocuments::new(&[&wide]).unwrap(), 1);
        let mut pair = Pair { clusters, sets: UnionFind::new(DOCUMENTS as usize), dead: BTreeSet::new(), base };
        before.iter().for_each(|&[a, b]| pair.sets.unite(a, b));
        let mut compaction = None;
        for step in steps {
            match step {
                Step::Link(a, b) => pair.link(a, b),
                Step::Die(number) => _ = pair.dead.insert(number),
                // One that was there before is given up.
                Step::Begin => compaction = Some(pair.clusters.compaction()),
                Step::End => if let Some(compaction) = compaction.take() {
                    pair.end(compaction);
                    pair.check()?;
                },
            }
        }
        pair.check()?;
        // After one without links meanwhile, memory has the living documents of clusters, and nothing else.
        let compaction = pair.clusters.compaction();
        pair.end(compaction);
        pair.check()?;
        let mut living: Vec<u64> = pair.expected(2).concat();
        living.sort_unstable();
        prop_assert_eq!(pair.clusters.beginning.documents(), &living);
        prop_assert!(pair.clusters.links.is_empty() && pair.clusters.next.is_empty() && pair.clusters.united.is_empty());
    }
}

#[test]
fn documents_stay_together_if_the_whole_cluster_that_connects_them_dies_while_it_is_compacted() {
    let mut clusters = Clusters::new(LinkedDocuments::new(&[&[[12, 36]]]).unwrap(), 1);
    let compaction = clusters.compaction();
    clusters.unite(12, 1);
    clusters.unite(2, 36);
    let compacted = compaction.compact(|number| Ok([12, 36].contains(&number))).unwrap();
    clusters.replace(compacted);
    assert_eq!(clusters.root(1), clusters.root(2));
}

#[test]
fn clusters_are_compacted_after_half_as_many_changes_as_they_have_documents() {
    let links: Vec<[u64; 2]> = (0..150).map(|number| [number, number + 1]).collect();
    let clusters = |links, least| Clusters::new(LinkedDocuments::new(&[links]).unwrap(), least);
    let large = clusters(&links, 10);
    assert_eq!([74, 75].map(|changes| large.is_to_compact(changes)), [false, true]);
    let mut small = clusters(&links[..5], 10);
    assert_eq!([9, 10].map(|changes| small.is_to_compact(changes)), [false, true]);
    let compacted = small.compaction().compact(|_| Ok(true)).unwrap();
    small.replace(compacted);
    assert!(!small.is_to_compact(u64::MAX), "there is nothing to compact");
    small.unite(3, 4);
    assert!(small.is_to_compact(10));
}
