//! Why documents were removed: how alike each is to the one that is kept for it, and which clusters hold together loosely.

use crate::decide::{Cluster, Decisions, Grounds};
use lookalike::{Comparer, Likeness, Plan, Similarity, cosine};
use rayon::prelude::*;
use std::cmp::Ordering;

/// Why a document was removed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reason {
    pub(crate) likeness: Likeness,
    /// How much of the removed document the kept one contains, if it is known.
    pub(crate) containment: Option<Similarity>,
}

/// A cluster with a document that was removed for one to which it is not alike: chains of pairs connect the two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loose {
    /// The index of the cluster.
    pub(crate) cluster: usize,
    /// The index of the member that is the least like the one that is kept for it.
    pub(crate) member: usize,
    /// How much that is.
    pub(crate) likeness: Likeness,
}

/// Why everything was removed.
#[derive(Debug, Default)]
pub(crate) struct Reasons {
    /// For every cluster the reasons of its members, in their order (of kept ones: what they have to themselves); of no cluster,
    /// if they were not asked for.
    pub(crate) of_members: Vec<Vec<Reason>>,
    /// The loosest first.
    pub(crate) loose: Vec<Loose>,
}

impl Reasons {
    /// Of `decisions`; those of all members if `all`.
    pub(crate) fn new(decisions: &Decisions, grounds: Grounds<'_>, all: bool) -> Self {
        let plan = &grounds.job.plan;
        let of_cluster = |comparer: &mut Comparer, (index, cluster): (usize, &Cluster)| {
            let distance = |member, kept| grounds.documents.sketches.distance(kept, member);
            let by_distance = |(member, kept)| {
                distance(member, kept)
                    .map(|distance| Reason { likeness: Likeness::Hamming(distance), containment: None })
            };
            let told = if plan.verifies() { None } else { cluster.decisions().map(by_distance).collect() };
            let reasons = told.unwrap_or_else(|| by_features(comparer, cluster, grounds));
            let loose = loosest(plan, index, &reasons);
            (if all { reasons } else { Vec::new() }, loose)
        };
        let (of_members, loose): (Vec<Vec<Reason>>, Vec<Option<Loose>>) = decisions
            .clusters
            .par_iter()
            .enumerate()
            .map_init(|| Comparer::with_level(grounds.job.level), of_cluster)
            .unzip();
        let mut loose: Vec<Loose> = loose.into_iter().flatten().collect();
        loose.sort_by(|a, b| closer(a.likeness, b.likeness));
        Reasons { of_members, loose }
    }
}

fn by_features(comparer: &mut Comparer, cluster: &Cluster, grounds: Grounds<'_>) -> Vec<Reason> {
    let plan = &grounds.job.plan;
    let same = Reason { likeness: plan.likeness_of_copies(), containment: Some(Similarity::SAME) };
    let mut reasons = vec![same; cluster.members.len()];
    let mut compared: Vec<(u32, usize)> = (cluster.decisions().enumerate())
        .filter(|&(_, (member, kept))| !grounds.are_copies(member, kept))
        .map(|(index, (_, kept))| (kept, index))
        .collect();
    compared.sort_unstable();
    for members in compared.chunk_by(|a, b| a.0 == b.0) {
        let kept = grounds.set(members[0].0);
        comparer.hold(kept.features);
        for &(_, index) in members {
            let member = grounds.set(cluster.members[index]);
            let overlap = comparer.overlap(member.features);
            let similarity = match plan.compares_weights() {
                true => cosine(kept, member),
                false => plan.measure().of(overlap),
            };
            let containment = Some(overlap.containment_of_right());
            reasons[index] = Reason { likeness: Likeness::Similarity(similarity), containment };
        }
    }
    reasons
}

/// The member of a cluster that is the least like the one that is kept for it, if the two are no pair.
fn loosest(plan: &Plan, cluster: usize, reasons: &[Reason]) -> Option<Loose> {
    let likenesses = reasons.iter().map(|reason| reason.likeness).enumerate();
    let (member, likeness) = likenesses
        .filter(|&(_, likeness)| !plan.accepts(likeness))
        .min_by(|(_, a), (_, b)| closer(*a, *b))?;
    Some(Loose { cluster, member, likeness })
}

/// The order from the least to the most alike.
fn closer(a: Likeness, b: Likeness) -> Ordering {
    match (a, b) {
        (Likeness::Hamming(a), Likeness::Hamming(b)) => b.cmp(&a),
        (a, b) => {
            let value =
                |likeness: Likeness| likeness.similarity().map_or(0.0, |similarity| similarity.value());
            value(a).total_cmp(&value(b))
        }
    }
}
