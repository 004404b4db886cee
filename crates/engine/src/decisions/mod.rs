//! From clusters to what is kept and what is removed.

pub mod reasons;
pub mod uncovered;
pub mod uncovered_text;

use crate::clusters::evidence::Evidence;
use crate::error::Error;
use crate::progress::Monitor;
use crate::request::Keep;
use lookalike::cluster::UnionFind;
use lookalike::compare::Comparer;
use lookalike::search::Buckets;
use rayon::prelude::*;
use std::ops::Range;

/// A cluster of two or more documents.
#[derive(Clone, Copy, Debug)]
pub struct Cluster<'a> {
    /// In input order.
    pub members: &'a [u32],
    /// For each of them the one that is kept for it: itself, if it stays. Where none stays, the first member, and for that the second:
    /// whatever is removed is compared with another.
    pub kept: &'a [u32],
}

impl<'a> Cluster<'a> {
    /// Each member and the one that is kept for it.
    pub fn decisions(self) -> impl Iterator<Item = (u32, u32)> + 'a {
        self.members.iter().copied().zip(self.kept.iter().copied())
    }
}

/// What happens to every document.
///
/// All clusters lie one behind the other: where everything is similar to something, a list for each would be most of what a run holds.
#[derive(Debug)]
pub struct Decisions {
    /// In the order of their first members.
    clusters: Buckets,
    /// For every member of all clusters the one that is kept for it.
    kept: Vec<u32>,
    /// For every document its cluster's index, or `ALONE`.
    cluster_of: Vec<u32>,
}

/// The cluster index of documents that are similar to no other.
const ALONE: u32 = u32::MAX;

impl Decisions {
    /// Chooses which members of every cluster are kept; all that is compared against is.
    pub fn new(sets: UnionFind, evidence: Evidence<'_>, keep: &Keep) -> Self {
        let Evidence { documents, contained, .. } = evidence;
        let mut clusters = contained.apart(sets).into_buckets();
        if !documents.indexed.numbers.is_empty() {
            // What hangs together in an index, and with nothing new, is told by nobody.
            clusters = filtered(&clusters, |members| documents.is_new(members[members.len() - 1]));
        }
        let mut kept = Vec::with_capacity(clusters.documents().len());
        for members in clusters.iter() {
            let chosen = keep.choose(members, documents);
            kept.extend(members.iter().enumerate().map(|(index, &member)| match contained.of(member) {
                Some(hit) => hit.against,
                None if !documents.is_new(member) => member,
                None if !documents.is_new(chosen) => chosen,
                None => keep.kept_for(members, index, chosen),
            }));
        }
        Self::of(clusters, kept, documents.len())
    }

    /// Of so many documents: `kept` is for every member of all clusters the one that is kept for it.
    pub fn of(clusters: Buckets, kept: Vec<u32>, documents: usize) -> Self {
        let mut cluster_of = vec![ALONE; documents];
        for (index, members) in (0..).zip(clusters.iter()) {
            members.iter().for_each(|&member| cluster_of[member as usize] = index);
        }
        Decisions { clusters, kept, cluster_of }
    }

    /// How many clusters there are.
    pub fn len(&self) -> usize {
        self.clusters.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many documents are in clusters.
    pub fn members(&self) -> usize {
        self.kept.len()
    }

    /// The cluster of this index.
    pub fn cluster(&self, index: usize) -> Cluster<'_> {
        Cluster { members: self.clusters.bucket(index), kept: &self.kept[self.range(index)] }
    }

    /// Where the cluster's members are among those of all clusters.
    pub fn range(&self, index: usize) -> Range<usize> {
        self.clusters.range(index)
    }

    /// All clusters, in order.
    pub fn clusters(&self) -> impl Iterator<Item = Cluster<'_>> {
        (0..self.len()).map(|index| self.cluster(index))
    }

    /// Keeps what would be lost: removes only documents of whose features at least the share `least` is in the one that is
    /// kept for them. Returns how many more are kept.
    ///
    /// What the preferred member of a cluster does not contain stays for another: the preferred one of those is kept too,
    /// and so on, until each member is kept or contained in one that is. Those that stay anyway go for none.
    pub fn spare(
        &mut self,
        keep: &Keep,
        least: f64,
        evidence: Evidence<'_>,
        monitor: &Monitor,
    ) -> Result<u64, Error> {
        let before = self.removed();
        let comparer = || Comparer::with_level(evidence.request.level);
        let Decisions { clusters, kept, .. } = self;
        split(clusters, kept).into_par_iter().try_for_each_init(
            comparer,
            |comparer, (members, kept_for)| {
                let mut left = members.to_vec();
                left.retain(|&member| evidence.contained.of(member).is_none());
                keep.sort(&mut left, evidence.documents);
                while let Some(&kept) = left.first() {
                    monitor.interrupt.check()?;
                    comparer.hold(evidence.set(kept).features);
                    let held = &*comparer;
                    let stays =
                        |member| members.binary_search(&member).is_ok_and(|at| kept_for[at] == member);
                    let contains = |&member: &u32| {
                        member == kept
                            || !stays(member)
                                && (evidence.are_copies(kept, member)
                                    || held.contains(evidence.set(member).features, least))
                    };
                    // A cluster may hold most of the corpus, so that its members are shared among threads too.
                    let (removed, others): (Vec<u32>, Vec<u32>) =
                        left.par_iter().with_min_len(STRETCH).copied().partition(contains);
                    for member in removed {
                        if let Ok(at) = members.binary_search(&member) {
                            kept_for[at] = kept;
                        }
                    }
                    left = others;
                }
                Ok::<(), Error>(())
            },
        )?;
        Ok(before - self.removed())
    }

    /// How many documents are removed.
    pub fn removed(&self) -> u64 {
        self.removed_for(|_| true)
    }

    /// How many documents are removed for one that `is_meant`.
    pub fn removed_for(&self, is_meant: impl Fn(u32) -> bool) -> u64 {
        let decisions = self.clusters().flat_map(Cluster::decisions);
        decisions.filter(|&(member, kept)| member != kept && is_meant(kept)).count() as u64
    }

    /// Where `document` is: the index of its cluster, and its own in there; `None` if it is similar to no other.
    pub fn find(&self, document: u32) -> Option<(usize, usize)> {
        let index = Some(self.cluster_of[document as usize]).filter(|&index| index != ALONE)? as usize;
        Some((index, self.cluster(index).members.binary_search(&document).ok()?))
    }

    /// The document that is kept for `document`: itself, if it stays. See [`Cluster::kept`] for clusters of which none stays.
    pub fn kept_for(&self, document: u32) -> u32 {
        self.find(document).map_or(document, |(cluster, member)| self.cluster(cluster).kept[member])
    }

    /// Is `document` kept?
    pub fn keeps(&self, document: u32) -> bool {
        self.kept_for(document) == document
    }
}

/// The buckets that are `wanted`.
fn filtered(buckets: &Buckets, wanted: impl Fn(&[u32]) -> bool) -> Buckets {
    let (mut documents, mut ends) = (Vec::new(), Vec::new());
    for bucket in buckets.iter().filter(|bucket| wanted(bucket)) {
        documents.extend_from_slice(bucket);
        ends.push(documents.len() as u32);
    }
    Buckets::from_parts(documents, ends)
}

/// The members of each cluster, and its part of `kept`.
fn split<'c>(clusters: &'c Buckets, mut kept: &'c mut [u32]) -> Vec<(&'c [u32], &'c mut [u32])> {
    let part = |members: &'c [u32]| {
        let (part, rest) = std::mem::take(&mut kept).split_at_mut(members.len());
        kept = rest;
        (members, part)
    };
    clusters.iter().map(part).collect()
}

/// Members that a thread compares at a time: enough to make its start cheap.
const STRETCH: usize = 64;
