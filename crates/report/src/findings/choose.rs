//! Chooses the clusters and removed documents that a page shows.

use super::distance;
use super::first::first_of_groups;
use lookalike::Plan;
use lookalike_engine::decisions::Decisions;
use lookalike_engine::decisions::{Reason, Reasons};
use std::cmp::Ordering;

/// Clusters of a kind that are shown. People read only a few, and texts take space.
const CLUSTERS: usize = 6;

/// Removed documents that are shown.
const REMOVED: usize = 12;

/// A removed document: the indexes of its cluster and of the member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RemovedMember {
    pub(super) cluster: usize,
    pub(super) member: usize,
}

/// A removed document and the reason.
#[derive(Clone, Copy)]
pub(super) struct ExplainedRemoval {
    pub(super) pair: RemovedMember,
    pub(super) reason: Reason,
}

/// The removed documents, cluster by cluster, without those that were removed for containment.
pub(super) fn removed<'a>(
    decisions: &'a Decisions,
    reasons: &'a Reasons,
) -> impl Iterator<Item = ExplainedRemoval> + 'a {
    (0..decisions.len()).flat_map(move |cluster| removed_of(decisions, reasons, cluster))
}

/// The same for the cluster of this index.
pub(super) fn removed_of<'a>(
    decisions: &'a Decisions,
    reasons: &'a Reasons,
    index: usize,
) -> impl Iterator<Item = ExplainedRemoval> + 'a {
    let members = decisions.cluster(index).decisions().zip(reasons.of_cluster(decisions, index)).enumerate();
    members.filter(|(_, ((member, kept), reason))| member != kept && reason.contained.is_none()).map(
        move |(member, (_, reason))| ExplainedRemoval {
            pair: RemovedMember { cluster: index, member },
            reason,
        },
    )
}

/// The examples. A cluster is shown by the removed document that is least similar to the kept one.
pub(super) struct ChosenExamples {
    pub(super) largest: Vec<RemovedMember>,
    pub(super) loosest: Vec<RemovedMember>,
    pub(super) closest: Vec<RemovedMember>,
}

impl ChosenExamples {
    pub(super) fn new(plan: &Plan, decisions: &Decisions, reasons: &Reasons) -> Self {
        let size = |pair: RemovedMember| decisions.cluster(pair.cluster).members.len();
        let members = |cluster| removed_of(decisions, reasons, cluster);
        let farthest = || (0..decisions.len()).filter_map(|cluster| farthest_of(members(cluster)));
        let closest = (0..decisions.len()).filter_map(|cluster| {
            farthest_of(members(cluster).filter(|member| plan.accepts(member.reason.score)))
        });
        let loosest = farthest().filter(|&(distance, pair)| distance > 0.0 && size(pair) > 2);
        ChosenExamples {
            largest: first(farthest(), CLUSTERS, |a, b| size(b.1).cmp(&size(a.1)).then(a.1.cmp(&b.1))),
            loosest: first(loosest, CLUSTERS, farther),
            // Copies are not near the threshold.
            closest: first(closest.filter(|&(distance, _)| distance > 0.0), REMOVED, farther),
        }
    }

    /// All examples.
    pub(super) fn all(&self) -> impl Iterator<Item = RemovedMember> + '_ {
        self.largest.iter().chain(&self.loosest).chain(&self.closest).copied()
    }
}

/// The first of the members that are least similar to the kept one.
fn farthest_of(members: impl Iterator<Item = ExplainedRemoval>) -> Option<(f64, RemovedMember)> {
    let mut farthest: Option<(f64, RemovedMember)> = None;
    for ExplainedRemoval { pair, reason } in members {
        let distance = distance(reason.score);
        if farthest.is_none_or(|(most, _)| distance > most) {
            farthest = Some((distance, pair));
        }
    }
    farthest
}

/// The farthest first. Equal ones stay in input order.
fn farther(a: &(f64, RemovedMember), b: &(f64, RemovedMember)) -> Ordering {
    b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
}

/// The first `count` of `pairs` in this order. They are of different clusters.
fn first(
    pairs: impl Iterator<Item = (f64, RemovedMember)>,
    count: usize,
    order: impl Fn(&(f64, RemovedMember), &(f64, RemovedMember)) -> Ordering,
) -> Vec<RemovedMember> {
    let found = first_of_groups(pairs, count, order, |&(_, pair)| pair.cluster);
    found.into_iter().map(|(_, pair)| pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::Score;
    use lookalike::search::Buckets;

    /// Clusters whose first member is kept and whose others differ from it in so many bits.
    fn clusters(distances: &[&[u32]]) -> (Decisions, Reasons) {
        let (mut kept, mut ends) = (Vec::new(), Vec::new());
        for removed in distances {
            let first = kept.len() as u32;
            kept.resize(kept.len() + 1 + removed.len(), first);
            ends.push(kept.len() as u32);
        }
        let clusters = Buckets::from_parts((0..kept.len() as u32).collect(), ends);
        let reason = |&bits: &u32| Reason { score: Score::Hamming(bits), containment: None, contained: None };
        let reasons = distances.iter().flat_map(|removed| [&0].into_iter().chain(*removed).map(reason));
        let documents = kept.len();
        (Decisions::of(clusters, kept, documents), Reasons::of(reasons))
    }

    #[test]
    fn what_is_shown_is_what_people_would_look_for() {
        let options = lookalike::Options { method: Some(lookalike::Method::SimHash), ..Default::default() };
        let plan = options.plan().expect("valid");
        let (decisions, reasons) = clusters(&[&[3], &[1, 9, 2, 0], &[0], &[1, 2, 2], &[0, 0]]);
        let chosen = ChosenExamples::new(&plan, &decisions, &reasons);
        let pairs = |pairs: &[RemovedMember]| -> Vec<(usize, usize)> {
            pairs.iter().map(|pair| (pair.cluster, pair.member)).collect()
        };
        assert_eq!(pairs(&chosen.largest), [(1, 2), (3, 2), (4, 1), (0, 1), (2, 1)]);
        assert_eq!(pairs(&chosen.loosest), [(1, 2), (3, 2)], "no pairs, no copies");
        assert_eq!(pairs(&chosen.closest), [(0, 1), (1, 3), (3, 2)], "within distance 3");
        assert_eq!(removed(&decisions, &reasons).count(), 11);
    }
}
