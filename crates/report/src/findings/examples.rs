//! Examples of what `dedup` has removed.

use super::choose::{ChosenExamples, ExplainedRemoval, RemovedMember, removed_of};
use super::distance;
use super::texts::{ExampleTexts, TextExample, WantedDocuments, shared_passages};
use lookalike::compare::Passages;
use lookalike::{Plan, Score, Similarity, Sketcher};
use lookalike_engine::decisions::Decisions;
use lookalike_engine::decisions::Reasons;

/// A cluster as an example.
#[derive(Clone, Debug)]
pub struct ClusterExample {
    /// How many documents it has.
    pub documents: u64,
    /// How many of them were removed.
    pub removed: u64,
    /// The mean similarity of the removed documents to the kept one.
    pub mean: f64,
    /// The first of the removed documents.
    pub members: Vec<ExampleMember>,
    /// The kept document and the removed one that is least similar to it.
    pub pair: RemovalExample,
}

/// A removed document of a cluster.
#[derive(Clone, Debug)]
pub struct ExampleMember {
    /// Its id or place.
    pub id: String,
    /// How similar it is to the kept one.
    pub score: Score,
}

/// A removed document beside the kept one. If the cluster keeps none, it is beside the one that it was compared with.
#[derive(Clone, Debug)]
pub struct RemovalExample {
    /// The number of their cluster, as in the lists.
    pub cluster: u64,
    /// The kept document, if `stays`.
    pub kept: TextExample,
    /// Is it kept?
    pub stays: bool,
    /// The removed document.
    pub removed: TextExample,
    /// How similar they are.
    pub score: Score,
    /// The share of the removed document that the kept one contains, if it is known.
    pub containment: Option<Similarity>,
    /// The passages that they share, as far as their texts are held.
    pub passages: Passages,
}

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
    pub(super) fn pair(&self, RemovedMember { cluster: index, member }: RemovedMember) -> RemovalExample {
        let cluster = self.decisions.cluster(index);
        let reason = self.reasons.of_member(self.decisions, index, member);
        let (kept, removed) = (self.texts.of(cluster.kept[member]), self.texts.of(cluster.members[member]));
        RemovalExample {
            cluster: index as u64 + 1,
            stays: self.decisions.keeps(cluster.kept[member]),
            passages: shared_passages(&mut Sketcher::new(self.plan), [&kept.text, &removed.text]),
            kept,
            removed,
            score: reason.map_or(self.plan.score_of_copies(), |reason| reason.score),
            containment: reason.and_then(|reason| reason.containment),
        }
    }

    pub(super) fn cluster(&self, pair: RemovedMember) -> ClusterExample {
        let cluster = self.decisions.cluster(pair.cluster);
        let removed = || removed_of(self.decisions, self.reasons, pair.cluster);
        let member = |removed: ExplainedRemoval| ExampleMember {
            id: self.texts.of(cluster.members[removed.pair.member]).id,
            score: removed.reason.score,
        };
        let far: f64 = removed().map(|removed| distance(removed.reason.score)).sum();
        let far = far / removed().count() as f64;
        ClusterExample {
            documents: cluster.members.len() as u64,
            removed: removed().count() as u64,
            mean: if self.plan.verifies() { 1.0 - far } else { far },
            members: removed().take(MEMBERS).map(member).collect(),
            pair: self.pair(pair),
        }
    }
}
