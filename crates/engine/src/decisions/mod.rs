//! From clusters to decisions: which documents are kept, and which are removed.

mod kept_frequent;
pub(crate) mod reasons;
pub(crate) mod uncovered;
pub(crate) mod uncovered_text;

pub use self::reasons::{Loose, Reason, Reasons};
pub use self::uncovered_text::UncoveredText;

use crate::clusters::evidence::Evidence;
use crate::error::Error;
use crate::progress::Monitor;
use crate::request::{ClusterShape, Keep};
use crate::threads::Threads;
use lookalike::cluster::UnionFind;
use lookalike::compare::Set;
use lookalike::search::{Buckets, CentreConditions, CentreRule, Centres};
use rayon::prelude::*;
use std::ops::Range;

/// A cluster of two or more documents.
#[derive(Clone, Copy, Debug)]
pub struct Cluster<'a> {
    /// Its documents, in input order.
    pub members: &'a [u32],
    /// For each member the document that is kept for it, which is the member itself if it is kept. Where no member is kept, this is the
    /// first member, and the second for the first: each removed document is compared with another one.
    pub kept: &'a [u32],
}

impl<'a> Cluster<'a> {
    /// Each member and the document that is kept for it.
    pub fn decisions(self) -> impl Iterator<Item = (u32, u32)> + 'a {
        self.members.iter().copied().zip(self.kept.iter().copied())
    }
}

/// The decision about every document.
///
/// All clusters are in one list. Where each document is similar to another, a list for each cluster would take most of the memory of a run.
#[derive(Debug)]
pub struct Decisions {
    /// All clusters, in the order of their first members.
    clusters: Buckets,
    /// For every member of all clusters the document that is kept for it.
    kept: Vec<u32>,
    /// For every document the index of its cluster, or `ALONE`.
    cluster_of: Vec<u32>,
}

/// The decisions about the documents of one part, without the cluster of each document.
#[derive(Debug)]
pub struct PartDecisions {
    clusters: Buckets,
    kept: Vec<u32>,
}

impl PartDecisions {
    /// The first member of the cluster with this index.
    pub(super) fn first(&self, index: usize) -> u32 {
        self.clusters.bucket(index)[0]
    }

    fn clusters(&self) -> impl Iterator<Item = Cluster<'_>> {
        let kept = |index| &self.kept[self.clusters.range(index)];
        (0..self.clusters.len())
            .map(move |index| Cluster { members: self.clusters.bucket(index), kept: kept(index) })
    }
}

impl From<Decisions> for PartDecisions {
    fn from(decisions: Decisions) -> Self {
        let Decisions { clusters, kept, .. } = decisions;
        PartDecisions { clusters, kept }
    }
}

/// The cluster index of documents that are similar to no other.
const ALONE: u32 = u32::MAX;

impl Decisions {
    /// Chooses which members of every cluster are kept. All documents of `--against` are.
    pub fn new(sets: UnionFind, shape: ClusterShape, evidence: Evidence<'_>, keep: &Keep) -> Self {
        let Evidence { documents, contained, .. } = evidence;
        let mut clusters = contained.apart(sets).into_buckets();
        if !documents.indexed.numbers.is_empty() || shape == ClusterShape::Against {
            // Clusters without a new document are not reported.
            clusters = filtered(&clusters, |members| documents.is_new(members[members.len() - 1]));
        }
        if shape == ClusterShape::Against {
            // Copies among the inputs stay.
            clusters = filtered(&clusters, |members| !documents.is_new(members[0]));
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

    /// The decisions about so many documents. `kept` has the document that is kept for each member of all clusters.
    pub fn of(clusters: Buckets, kept: Vec<u32>, documents: usize) -> Self {
        let mut cluster_of = vec![ALONE; documents];
        for (index, members) in (0..).zip(clusters.iter()) {
            members.iter().for_each(|&member| cluster_of[member as usize] = index);
        }
        Decisions { clusters, kept, cluster_of }
    }

    /// The decisions about the clusters of all `parts`. No two of them have a document in common.
    pub fn merged(parts: &[PartDecisions], documents: usize) -> Self {
        let mut clusters: Vec<Cluster<'_>> = parts.iter().flat_map(PartDecisions::clusters).collect();
        clusters.sort_unstable_by_key(|cluster| cluster.members[0]);
        let (mut members, mut ends, mut kept) = (Vec::new(), Vec::new(), Vec::new());
        for cluster in clusters {
            members.extend_from_slice(cluster.members);
            kept.extend_from_slice(cluster.kept);
            ends.push(members.len() as u32);
        }
        Self::of(Buckets::from_parts(members, ends), kept, documents)
    }

    /// The number of clusters.
    pub fn len(&self) -> usize {
        self.clusters.len()
    }

    /// Whether there is no cluster.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of documents that are in clusters.
    pub fn members(&self) -> usize {
        self.kept.len()
    }

    /// The cluster with this index.
    pub fn cluster(&self, index: usize) -> Cluster<'_> {
        Cluster { members: self.clusters.bucket(index), kept: &self.kept[self.range(index)] }
    }

    /// The positions of the cluster's members in the list of all members.
    pub fn range(&self, index: usize) -> Range<usize> {
        self.clusters.range(index)
    }

    /// All clusters, in order.
    pub fn clusters(&self) -> impl Iterator<Item = Cluster<'_>> {
        (0..self.len()).map(|index| self.cluster(index))
    }

    /// Keeps documents whose text would be lost. A document is removed only if the one that is kept for it has at least the share `least` of
    /// its features. Returns how many more documents are kept.
    ///
    /// The preferred member of a cluster is kept, then the preferred one of the members that it does not contain, and so on. In the end each
    /// member is kept, or contained in a kept one. Members that were kept before stay kept.
    pub fn spare(
        &mut self,
        keep: &Keep,
        least: f64,
        evidence: Evidence<'_>,
        monitor: &Monitor,
    ) -> Result<u64, Error> {
        let before = self.removed();
        let Decisions { clusters, kept, .. } = self;
        split(clusters, kept).into_par_iter().try_for_each(|(members, kept_for)| {
            // Copies need no comparison, and their features may not have been read.
            if members.iter().all(|&member| evidence.are_copies(members[0], member)) {
                return Ok(());
            }
            let mut left = members.to_vec();
            left.retain(|&member| evidence.contained.of(member).is_none());
            keep.sort(&mut left, evidence.documents);
            let rule = SpareRule { evidence, least, members, kept_for };
            let Centres { taken, .. } = Centres::of(&left, &rule, &Threads(&monitor.interrupt))?;
            left.iter().for_each(|&member| set_kept(members, kept_for, member, member));
            taken.iter().for_each(|taken| set_kept(members, kept_for, taken.document, taken.centre));
            Ok::<(), Error>(())
        })?;
        Ok(before - self.removed())
    }

    /// The number of documents that are removed.
    pub fn removed(&self) -> u64 {
        self.removed_for(|_| true)
    }

    /// The number of documents that are removed for a document that `is_counted`.
    pub fn removed_for(&self, is_counted: impl Fn(u32) -> bool) -> u64 {
        let decisions = self.clusters().flat_map(Cluster::decisions);
        decisions.filter(|&(member, kept)| member != kept && is_counted(kept)).count() as u64
    }

    /// The index of the cluster of `document`, and its index in the cluster, or `None` if it is in no cluster.
    pub fn find(&self, document: u32) -> Option<(usize, usize)> {
        let index = Some(self.cluster_of[document as usize]).filter(|&index| index != ALONE)? as usize;
        Some((index, self.cluster(index).members.binary_search(&document).ok()?))
    }

    /// The document that is kept for `document`, which is itself if it is kept. See [`Cluster::kept`] for clusters that keep no member.
    pub fn kept_for(&self, document: u32) -> u32 {
        self.find(document).map_or(document, |(cluster, member)| self.cluster(cluster).kept[member])
    }

    /// Whether `document` is kept.
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

/// For each cluster its members, and its part of `kept`.
fn split<'c>(clusters: &'c Buckets, mut kept: &'c mut [u32]) -> Vec<(&'c [u32], &'c mut [u32])> {
    let part = |members: &'c [u32]| {
        let (part, rest) = std::mem::take(&mut kept).split_at_mut(members.len());
        kept = rest;
        (members, part)
    };
    clusters.iter().map(part).collect()
}

/// Notes that `kept` is kept for a member of a cluster.
fn set_kept(members: &[u32], kept_for: &mut [u32], member: u32, kept: u32) {
    if let Ok(at) = members.binary_search(&member) {
        kept_for[at] = kept;
    }
}

/// A kept document takes the members of its cluster of which it has enough.
struct SpareRule<'a> {
    evidence: Evidence<'a>,
    least: f64,
    members: &'a [u32],
    kept_for: &'a [u32],
}

impl CentreRule for SpareRule<'_> {
    fn conditions(&self) -> CentreConditions {
        let level = self.evidence.request.level;
        CentreConditions { similarity: None, containment: Some(self.least), level }
    }

    fn set(&self, document: u32) -> Set<'_> {
        self.evidence.set(document)
    }

    fn may_take(&self, _: u32, _: u32) -> bool {
        true
    }

    /// Members that were kept before stay kept.
    fn is_centre(&self, document: u32) -> bool {
        self.members.binary_search(&document).is_ok_and(|at| self.kept_for[at] == document)
    }

    fn may_be_centre(&self, _: u32) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// For each of some documents a cluster, and for each cluster whether it keeps its first or its last member.
    fn drawn() -> impl Strategy<Value = (Vec<usize>, Vec<bool>)> {
        (prop::collection::vec(0..12_usize, 1..60), prop::collection::vec(any::<bool>(), 12))
    }

    /// The members of each cluster of two or more documents, ascending, in the order of their first members.
    fn clusters(of: &[usize]) -> Vec<Vec<u32>> {
        let members = |wanted| {
            (0..).zip(of).filter(move |&(_, &cluster)| cluster == wanted).map(|(document, _)| document)
        };
        let mut clusters: Vec<Vec<u32>> = (0..12).map(|cluster| members(cluster).collect()).collect();
        clusters.retain(|members| members.len() > 1);
        clusters.sort();
        clusters
    }

    fn decided(clusters: &[Vec<u32>], keeps_last: impl Fn(&[u32]) -> bool, documents: usize) -> Decisions {
        let (mut members, mut ends, mut kept) = (Vec::new(), Vec::new(), Vec::new());
        for cluster in clusters {
            members.extend_from_slice(cluster);
            ends.push(members.len() as u32);
            let chosen = if keeps_last(cluster) { cluster[cluster.len() - 1] } else { cluster[0] };
            kept.extend(cluster.iter().map(|_| chosen));
        }
        Decisions::of(Buckets::from_parts(members, ends), kept, documents)
    }

    proptest! {
        #[test]
        fn each_document_has_the_decision_of_its_cluster_also_if_it_was_made_in_parts((of, last) in drawn(), parts in 1..4_usize) {
            let clusters = clusters(&of);
            let keeps_last = |members: &[u32]| last[of[members[0] as usize]];
            let whole = decided(&clusters, keeps_last, of.len());
            let of_part = |part| {
                let own: Vec<Vec<u32>> = clusters.iter().skip(part).step_by(parts).cloned().collect();
                PartDecisions::from(decided(&own, keeps_last, of.len()))
            };
            let made: Vec<PartDecisions> = (0..parts).map(of_part).collect();
            let merged = Decisions::merged(&made, of.len());
            for document in 0..of.len() as u32 {
                let mates: Vec<u32> =
                    (0..of.len() as u32).filter(|&other| of[other as usize] == of[document as usize]).collect();
                let expected = if keeps_last(&mates) { mates[mates.len() - 1] } else { mates[0] };
                prop_assert_eq!((whole.kept_for(document), merged.kept_for(document)), (expected, expected));
                prop_assert_eq!(merged.find(document).is_some(), mates.len() > 1);
            }
            let removed: usize = clusters.iter().map(|members| members.len() - 1).sum();
            prop_assert_eq!((merged.removed(), merged.len(), merged.members()), (removed as u64, clusters.len(), removed + clusters.len()));
            prop_assert!(merged.clusters().zip(&clusters).all(|(cluster, expected)| cluster.members == expected));
        }
    }
}
