//! The decisions of `dedup`, as its outputs need them.

use super::columns::score_cell;
use lookalike_corpus::{Annotation, Cell};
use lookalike_engine::decisions::Decisions;
use lookalike_engine::decisions::Reasons;
use lookalike_engine::decisions::UncoveredText;
use lookalike_engine::documents::DocumentNames;
use std::borrow::Cow;

/// The decisions that rows and annotations are made from.
pub struct OutputContext<'a> {
    /// The documents by their numbers.
    pub names: &'a DocumentNames<'a>,
    /// What was decided about each.
    pub decisions: &'a Decisions,
    /// Why the removed ones were removed.
    pub reasons: &'a Reasons,
    /// The words that are lost with them.
    pub uncovered_text: &'a UncoveredText,
}

impl OutputContext<'_> {
    /// The id of `kept`, which another document was removed for. `None` if it is removed itself, as no document of its cluster
    /// is kept.
    pub(crate) fn id_of_kept(&self, kept: u32) -> Option<Cow<'_, str>> {
        self.decisions.keeps(kept).then(|| self.names.id(kept))
    }

    /// The id of the document that is kept instead of `document`. `None` if it is kept itself, or if none is kept.
    pub fn kept_id(&self, document: u32) -> Option<Cow<'_, str>> {
        let kept = self.decisions.kept_for(document);
        if kept == document { None } else { self.id_of_kept(kept) }
    }

    /// What the row of a document says of it in an annotated output.
    pub fn annotation<'b>(&self, document: u32, kept_id: Option<&'b str>) -> Annotation<'b> {
        let place = self.decisions.find(document);
        let kept = self.decisions.keeps(document);
        let removed = place.filter(|_| !kept);
        let reason =
            removed.and_then(|(cluster, member)| self.reasons.of_member(self.decisions, cluster, member));
        Annotation {
            cluster: place.map(|(cluster, _)| cluster as u64 + 1),
            kept,
            kept_id,
            score: reason.map_or(Cell::Absent, |reason| score_cell(reason.score)),
            containment: reason
                .and_then(|reason| reason.containment)
                .map_or(Cell::Absent, |containment| Cell::Number(containment.value())),
            duplicates: place
                .map_or(0, |(cluster, _)| self.decisions.cluster(cluster).members.len() as u64 - 1),
        }
    }
}
