//! The whole path in one call, for texts that fit in memory: text in, pairs or clusters out.
//!
//! One thread and no files: drivers that want more use the same parts ([`Sketcher`], [`SketchTable`], [`Join`],
//! [`UnionFind`]) in the same order.

use crate::cluster::UnionFind;
use crate::lsh::{Buckets, Join, Match, SketchTable};
use crate::plan::Plan;
use crate::similarity::Similarity;
use crate::sketch::Sketcher;
use crate::verify::Comparer;

/// The documents of a corpus, sketched.
pub struct Corpus<'p> {
    plan: &'p Plan,
    sketcher: Sketcher<'p>,
    comparer: Comparer,
    table: SketchTable,
    features: Vec<Vec<u64>>,
}

impl<'p> Corpus<'p> {
    /// An empty corpus.
    pub fn new(plan: &'p Plan) -> Self {
        Corpus {
            plan,
            sketcher: Sketcher::new(plan),
            comparer: Comparer::default(),
            table: SketchTable::new(plan.num_perm(), plan.banding()),
            features: Vec::new(),
        }
    }

    /// Appends a document; the first is number 0.
    pub fn push(&mut self, text: &str) {
        let sketch = self.sketcher.sketch(text);
        self.table.push(&sketch);
        let mut features = sketch.features.to_vec();
        let distinct = self.comparer.distinct(&mut features);
        features.truncate(distinct);
        self.features.push(features);
    }

    /// Every pair of documents that share a band and whose Jaccard similarity reaches the threshold, in order.
    pub fn pairs(&mut self) -> Vec<Match> {
        let originals = self.table.originals();
        let join = Join::new(&self.table, self.plan.threshold(), &originals);
        let mut found = Vec::new();
        for band in 0..self.plan.banding().bands {
            for bucket in join.buckets(band).iter() {
                let features = |document: u32| self.features[document as usize].as_slice();
                join.matches(band, bucket, features, &mut self.comparer, usize::MAX, &mut found);
            }
        }
        with_copies(found, &originals)
    }

    /// The clusters of two or more documents that hang together by such pairs: members ascend, and clusters
    /// are in the order of their first members.
    pub fn clusters(&mut self) -> Vec<Vec<u32>> {
        let originals = self.table.originals();
        let join = Join::new(&self.table, self.plan.threshold(), &originals);
        let mut sets = UnionFind::new(self.table.len());
        for band in 0..self.plan.banding().bands {
            let roots = sets.roots();
            let mut found = Vec::new();
            for bucket in join.buckets(band).iter() {
                let features = |document: u32| self.features[document as usize].as_slice();
                join.links(band, bucket, &roots, features, &mut self.comparer, &mut found);
            }
            found.iter().for_each(|link| sets.unite(link.a, link.b));
        }
        for (document, &original) in originals.iter().enumerate() {
            sets.unite(document as u32, original);
        }
        sets.clusters()
    }
}

/// Adds to `found`, pairs of originals, the pairs that their copies make; in order.
pub fn with_copies(mut found: Vec<Match>, originals: &[u32]) -> Vec<Match> {
    let pairs: Vec<(u64, u32)> = originals
        .iter()
        .enumerate()
        .map(|(document, &original)| (crate::hash::fmix64(u64::from(original)), document as u32))
        .collect();
    let groups = Buckets::group(&pairs);
    let mut group_of = vec![u32::MAX; originals.len()];
    for (index, group) in groups.iter().enumerate() {
        group_of[group[0] as usize] = index as u32;
    }
    let copies = |document: u32| match group_of[document as usize] {
        u32::MAX => std::slice::from_ref(&originals[document as usize]),
        index => groups.bucket(index as usize),
    };
    for index in 0..found.len() {
        let Match { a, b, similarity } = found[index];
        for &x in copies(a) {
            for &y in copies(b) {
                if (x, y) != (a, b) {
                    found.push(Match { a: x.min(y), b: x.max(y), similarity });
                }
            }
        }
    }
    for group in groups.iter() {
        for (index, &a) in group.iter().enumerate() {
            found.extend(group[index + 1..].iter().map(|&b| Match { a, b, similarity: Similarity::SAME }));
        }
    }
    found.sort_unstable_by_key(|found| (found.a, found.b));
    found
}
