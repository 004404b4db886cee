//! Why documents were removed: how alike each is to the one that is kept for it, and which clusters hold together loosely.

use crate::contained::Hit;
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
    /// How much of the shorter of the two is in the other, if that is why.
    pub(crate) contained: Option<Similarity>,
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
                let likeness = Likeness::Hamming(distance(member, kept)?);
                Some(Reason { likeness, containment: None, contained: None })
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
    let same =
        Reason { likeness: plan.likeness_of_copies(), containment: Some(Similarity::SAME), contained: None };
    let reason = |&member| grounds.contained.of(member).map_or(same, |hit| by_containment(plan, hit));
    let mut reasons: Vec<Reason> = cluster.members.iter().map(reason).collect();
    let mut compared: Vec<(u32, usize)> = (cluster.decisions().enumerate())
        .filter(|&(index, (member, kept))| {
            reasons[index].contained.is_none() && !grounds.are_copies(member, kept)
        })
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
            reasons[index] =
                Reason { likeness: Likeness::Similarity(similarity), containment, contained: None };
        }
    }
    reasons
}

fn by_containment(plan: &Plan, hit: &Hit) -> Reason {
    Reason {
        likeness: Likeness::Similarity(plan.measure().of(hit.overlap)),
        containment: Some(hit.overlap.containment_of_left()),
        contained: Some(hit.overlap.containment()),
    }
}

/// The member of a cluster that is the least like the one that is kept for it, if the two are no pair.
fn loosest(plan: &Plan, cluster: usize, reasons: &[Reason]) -> Option<Loose> {
    let likenesses = reasons.iter().map(|reason| (reason.likeness, reason.contained)).enumerate();
    let (member, likeness) = likenesses
        .filter(|&(_, (likeness, contained))| contained.is_none() && !plan.accepts(likeness))
        .map(|(member, (likeness, _))| (member, likeness))
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
