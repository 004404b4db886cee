//! From clusters to what is kept, what is removed, and why.

use crate::documents::Documents;
use crate::features::Features;
use crate::job::{Job, Keep};
use lookalike::{Comparer, KeepPolicy, Likeness, Similarity, Sketches, UnionFind, cosine};
use rayon::prelude::*;

/// A cluster of two or more documents.
#[derive(Debug)]
pub(crate) struct Cluster {
    pub(crate) kept: u32,
    /// In input order, the kept one included.
    pub(crate) members: Vec<u32>,
}

/// What happens to every document.
#[derive(Debug)]
pub(crate) struct Decisions {
    /// In the order of their first members.
    pub(crate) clusters: Vec<Cluster>,
    /// For every document its cluster's index, or `ALONE`.
    pub(crate) cluster_of: Vec<u32>,
}

/// The cluster index of documents that are like no other.
pub(crate) const ALONE: u32 = u32::MAX;

/// Why a document was removed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reason {
    pub(crate) likeness: Likeness,
    /// How much of the removed document the kept one contains, if it is known.
    pub(crate) containment: Option<Similarity>,
}

impl Decisions {
    /// Chooses which member of every cluster is kept.
    pub(crate) fn new(mut sets: UnionFind, documents: &Documents, keep: &Keep) -> Self {
        let policy = match keep {
            Keep::First => KeepPolicy::First,
            Keep::Last => KeepPolicy::Last,
            Keep::Longest => KeepPolicy::Longest,
            Keep::Max(_) => KeepPolicy::Max,
            Keep::Min(_) => KeepPolicy::Min,
        };
        let rank =
            |document: u32| documents.ranks.get(document as usize).copied().filter(|rank| !rank.is_nan());
        let mut cluster_of = vec![ALONE; documents.len()];
        let clusters: Vec<Cluster> = sets
            .clusters()
            .into_iter()
            .map(|members| Cluster { kept: policy.choose(&members, rank), members })
            .collect();
        for (index, cluster) in clusters.iter().enumerate() {
            cluster.members.iter().for_each(|&member| cluster_of[member as usize] = index as u32);
        }
        Decisions { clusters, cluster_of }
    }

    /// How many documents are removed.
    pub(crate) fn removed(&self) -> u64 {
        self.clusters.iter().map(|cluster| cluster.members.len() as u64 - 1).sum()
    }

    /// Is `document` kept?
    pub(crate) fn keeps(&self, document: u32) -> bool {
        match self.cluster_of[document as usize] {
            ALONE => true,
            index => self.clusters[index as usize].kept == document,
        }
    }

    /// For every cluster the reasons of its members, in their order (of the kept one: what it has to itself).
    pub(crate) fn reasons(
        &self,
        job: &Job,
        documents: &Documents,
        originals: &[u32],
        features: &Features,
    ) -> Vec<Vec<Reason>> {
        let original = |document: u32| originals[document as usize];
        if let (Sketches::SimHash(table), false) = (&documents.sketches, job.plan.verifies()) {
            let by_distance = |cluster: &Cluster| {
                let distance = |member| Likeness::Hamming(table.distance(cluster.kept, member));
                let reason = |&member: &u32| Reason { likeness: distance(member), containment: None };
                cluster.members.iter().map(reason).collect()
            };
            return self.clusters.iter().map(by_distance).collect();
        }
        let by_features = |comparer: &mut Comparer, cluster: &Cluster| {
            let kept = features.of(original(cluster.kept));
            let mut held = false;
            let reason = |&member: &u32| {
                // Copies of one text need no comparison, and their features may not have been read.
                if original(member) == original(cluster.kept) {
                    return Reason {
                        likeness: job.plan.likeness_of_copies(),
                        containment: Some(Similarity::SAME),
                    };
                }
                if !std::mem::replace(&mut held, true) {
                    comparer.hold(kept.features);
                }
                let member = features.of(original(member));
                let overlap = comparer.overlap(member.features);
                let similarity = match job.plan.compares_weights() {
                    true => cosine(kept, member),
                    false => job.plan.measure().of(overlap),
                };
                let containment = Some(overlap.containment_of_right());
                Reason { likeness: Likeness::Similarity(similarity), containment }
            };
            cluster.members.iter().map(reason).collect()
        };
        self.clusters.par_iter().map_init(|| Comparer::with_level(job.level), by_features).collect()
    }
}
