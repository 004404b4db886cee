//! The join: every candidate pair is met once, in the first band that it shares, and compared exactly.
//!
//! Work is cut into buckets, which the caller may spread over threads: buckets of one band hold different
//! documents, and nothing here depends on the order in which they are done.

use crate::cluster::UnionFind;
use crate::lsh::{Buckets, SketchTable};
use crate::similarity::Similarity;
use crate::measure::{Set, Verifier};

use std::collections::HashMap;

/// Two documents, `a` before `b`, and their exact similarity.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Match {
    /// The earlier document.
    pub a: u32,
    /// The later document.
    pub b: u32,
    /// Their exact similarity, by the measure of the plan.
    pub similarity: Similarity,
}

/// What the join did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Pairs that share a band and were looked at.
    pub candidates: u64,
    /// Of these, pairs that were compared feature by feature.
    pub compared: u64,
    /// Buckets so large that members were compared with leaders only.
    pub led: u64,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.candidates += other.candidates;
        self.compared += other.compared;
        self.led += other.led;
    }
}

/// The candidates among the documents of a table.
///
/// Documents that repeat an earlier one word for word take no part; [`Join::originals`] names them.
#[derive(Debug)]
pub struct Join<'a> {
    table: &'a SketchTable,
    threshold: f64,
    originals: &'a [u32],
    /// The documents that take part.
    active: Vec<u32>,
}

/// Members from which on a bucket is not searched pair by pair where only clusters are wanted. Up to here, the
/// square stays below a few milliseconds a bucket.
const LED: usize = 1024;

impl<'a> Join<'a> {
    /// The join of `table` at a Jaccard similarity of `threshold`; `originals` are [`SketchTable::originals`].
    pub fn new(table: &'a SketchTable, threshold: f64, originals: &'a [u32]) -> Self {
        let takes_part = |document: &u32| {
            originals[*document as usize] == *document && !table.content(*document).is_empty()
        };
        let active = (0..table.len() as u32).filter(takes_part).collect();
        Join { table, threshold, originals, active }
    }

    /// For every document the first one with the same content.
    pub fn originals(&self) -> &'a [u32] {
        self.originals
    }

    /// The groups of documents that share the key of `band`.
    pub fn buckets(&self, band: usize) -> Buckets {
        self.table.buckets(band, &self.active)
    }

    /// Calls `involve` for the documents of a bucket that may be compared, unless `involved` says that it has
    /// been called for them.
    pub fn involve(
        &self,
        band: usize,
        bucket: &[u32],
        involved: impl Fn(u32) -> bool,
        mut involve: impl FnMut(u32),
    ) {
        if bucket.len() > LED {
            // To look at every pair would take longer than to read everybody's features.
            return bucket.iter().copied().filter(|&document| !involved(document)).for_each(involve);
        }
        for (index, &a) in bucket.iter().enumerate() {
            for &b in &bucket[index + 1..] {
                if involved(a) && involved(b) {
                    continue;
                }
                if self.is_candidate(band, a, b) && self.table.may_reach(self.threshold, a, b) {
                    involve(a);
                    involve(b);
                }
            }
        }
    }

    /// Appends every pair of a bucket that is alike, until `found` holds `most` pairs.
    pub fn matches<'f>(
        &self,
        band: usize,
        bucket: &[u32],
        features: impl Fn(u32) -> Set<'f>,
        verifier: &mut Verifier,
        most: usize,
        found: &mut Vec<Match>,
    ) -> Tally {
        let mut tally = Tally::default();
        for (index, &a) in bucket.iter().enumerate() {
            if found.len() >= most {
                break;
            }
            let mut held = false;
            for &b in &bucket[index + 1..] {
                if self.is_candidate(band, a, b) {
                    found.extend(self.compare(a, b, &features, verifier, &mut held, &mut tally));
                }
            }
        }
        tally
    }

    /// Appends pairs of a bucket that are alike, enough to connect whatever the bucket's pairs connect: pairs
    /// whose documents hang together already, by `roots` or by the links of this bucket, are passed over.
    ///
    /// In a bucket of more than 1,024 documents, each is compared with the first document of every cluster that
    /// the bucket holds so far, and not with all that precede it: a document that is like another, but not like that
    /// one's leader, is not linked here, nor in later bands that the two share. Such buckets are counted.
    pub fn links<'f>(
        &self,
        band: usize,
        bucket: &[u32],
        roots: &[u32],
        features: impl Fn(u32) -> Set<'f>,
        verifier: &mut Verifier,
        found: &mut Vec<Match>,
    ) -> Tally {
        let mut tally = Tally { led: u64::from(bucket.len() > LED), ..Tally::default() };
        // The set of each member within the bucket; members that hang together already start in one set.
        let mut first_of_root = HashMap::new();
        let mut sets = UnionFind::new(bucket.len());
        for (member, &document) in (0_u32..).zip(bucket) {
            sets.unite(member, *first_of_root.entry(roots[document as usize]).or_insert(member));
        }
        let mut leaders: Vec<u32> = Vec::new();
        for (later, &b) in (0_u32..).zip(bucket) {
            let mut held = false;
            let mut leads = true;
            for &earlier in &leaders {
                if sets.find(earlier) == sets.find(later) {
                    leads = false;
                    continue;
                }
                let a = bucket[earlier as usize];
                if !self.is_candidate(band, a, b) {
                    continue;
                }
                // The later document is held, and compared with the earlier ones.
                if let Some(alike) = self.compare(b, a, &features, verifier, &mut held, &mut tally) {
                    found.push(Match { a, b, similarity: alike.similarity });
                    sets.unite(earlier, later);
                    leads = false;
                }
            }
            if leads || bucket.len() <= LED {
                leaders.push(later);
            }
        }
        tally
    }

    fn is_candidate(&self, band: usize, a: u32, b: u32) -> bool {
        !self.table.met_before(band, a, b)
    }

    /// Compares `b` with `a`, which is held from the first comparison on.
    fn compare<'f>(
        &self,
        a: u32,
        b: u32,
        features: &impl Fn(u32) -> Set<'f>,
        verifier: &mut Verifier,
        held: &mut bool,
        tally: &mut Tally,
    ) -> Option<Match> {
        tally.candidates += 1;
        if !self.table.may_reach(self.threshold, a, b) {
            return None;
        }
        tally.compared += 1;
        let similarity = verifier.reaches(features(a), features(b), held)?;
        Some(Match { a, b, similarity })
    }
}
