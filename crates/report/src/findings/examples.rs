//! Examples of what `dedup` has removed.

use super::choose::{ChosenExamples, ExplainedRemoval, RemovedMember, removed_of};
use super::distance;
use super::example::{Example, ExampleCluster, ExampleRoles};
use super::texts::{ExampleTexts, WantedDocuments, shared_passages};
use lookalike::{Plan, Similarity, Sketcher};
use lookalike_engine::decisions::Decisions;
use lookalike_engine::decisions::Reasons;

/// Removed documents of a cluster that are named.
const MEMBERS: usize = 12;

/// The documents of the examples that were chosen.
pub(super) fn wanted(decisions: &Decisions, reasons: &Reasons, chosen: &ChosenExamples) -> WantedDocuments {
    let mut wanted = WantedDocuments::default();
    for RemovedMember { cluster: index, member } in chosen.all() {
        let cluster = decisions.cluster(index);
        wanted.with_text.extend([cluster.kept[member], cluster.members[member]]);
        let removed = removed_of(decisions, reasons, index);
        wanted.named.extend(removed.map(|removed| cluster.members[removed.pair.member]).take(MEMBERS));
    }
    wanted
}

/// Makes examples of removed documents.
pub(super) struct Examples<'a> {
    pub(super) plan: &'a Plan,
    pub(super) decisions: &'a Decisions,
    pub(super) reasons: &'a Reasons,
    pub(super) texts: &'a ExampleTexts,
}

impl Examples<'_> {
    /// A removed document beside the one that it was compared with.
    pub(super) fn pair(&self, RemovedMember { cluster: index, member }: RemovedMember) -> Example {
        let cluster = self.decisions.cluster(index);
        let reason = self.reasons.of_member(self.decisions, index, member);
        let texts = [cluster.kept[member], cluster.members[member]].map(|document| self.texts.of(document));
        let stays = self.decisions.keeps(cluster.kept[member]);
        Example {
            roles: if stays { ExampleRoles::KeptAndRemoved } else { ExampleRoles::BothRemoved },
            score: reason.map_or(self.plan.score_of_copies(), |reason| reason.score),
            containment: reason.and_then(|reason| reason.containment).map(Similarity::value),
            passages: shared_passages(&mut Sketcher::new(self.plan), &texts),
            texts,
            cluster: Some(index as u64 + 1),
            whole: None,
        }
    }

    /// The same, for its whole cluster.
    pub(super) fn cluster(&self, pair: RemovedMember) -> Example {
        let cluster = self.decisions.cluster(pair.cluster);
        let removed = || removed_of(self.decisions, self.reasons, pair.cluster);
        let member = |removed: ExplainedRemoval| {
            (self.texts.of(cluster.members[removed.pair.member]).id, removed.reason.score)
        };
        let far: f64 = removed().map(|removed| distance(removed.reason.score)).sum();
        let far = far / removed().count() as f64;
        let whole = ExampleCluster {
            documents: cluster.members.len() as u64,
            removed: removed().count() as u64,
            mean: if self.plan.decides_by_distance() { far } else { 1.0 - far },
            members: removed().take(MEMBERS).map(member).collect(),
        };
        Example { whole: Some(whole), ..self.pair(pair) }
    }
}
