//! What inputs are compared against: documents that are neither written nor removed, and for whose sake others are.
//!
//! They are read before the inputs, so that their numbers come first.

use crate::error::Error;
use crate::request::Against;
use crate::request::Dedup;
use lookalike::Plan;
use lookalike_corpus::Inputs;
use lookalike_engine::decisions::Decisions;
use lookalike_engine::documents::Documents;
use lookalike_engine::index::Index;
use lookalike_engine::request::{ClusterShape, Keep};
use lookalike_engine::search::contained::Contained;
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;

impl Against {
    /// Is there anything to compare against?
    pub fn is_empty(&self) -> bool {
        self.inputs.is_empty() && self.index.is_none()
    }

    /// The index that the inputs are to be added to.
    pub(crate) fn growing_index(&self) -> Option<&Arc<Index>> {
        self.index.as_ref().filter(|index| index.is_to_grow())
    }

    /// The files of both, those that are compared against before the `inputs`.
    pub(crate) fn resolve(&self, inputs: &[String]) -> Result<Inputs, Error> {
        match self.inputs.iter().find(|argument| Index::is_at(Path::new(argument))) {
            Some(index) => Err(Error::AgainstIndex { path: index.into() }),
            None => Ok(Inputs::resolve_against(&self.inputs, inputs)?),
        }
    }

    /// Refuses what an index does not know enough for.
    pub(crate) fn check_index(&self, dedup: &Dedup) -> Result<(), Error> {
        let Some(index) = &self.index else { return Ok(()) };
        if *index.plan() != dedup.job.request.plan {
            return Err(Error::IndexOfOtherPlan { folder: index.folder().to_owned() });
        }
        let no_texts = "it has no texts to read again";
        let refused = [
            (
                dedup.keep != Keep::First,
                "--keep",
                "the first document of a cluster stays, and all that are in the index",
            ),
            (
                dedup.clustering == ClusterShape::Star,
                "--cluster star",
                "a better centre would change what was decided before",
            ),
            (
                dedup.min_containment.is_some(),
                "--min-containment",
                "only some documents of a cluster are taken from it",
            ),
            (self.containment.is_some(), "--against-containment", "only what shares a band is taken from it"),
            (dedup.job.audit > 0, "--audit", no_texts),
            (dedup.report.is_some(), "--report", no_texts),
        ];
        match refused.into_iter().find(|(is_asked, ..)| *is_asked) {
            Some((_, what, why)) => Err(Error::NotWithIndex { what, why }),
            None => Ok(()),
        }
    }

    /// Refuses containment where it is not known, or would not be by what is compared.
    pub(crate) fn check(&self, plan: &Plan) -> Result<(), Error> {
        match self.containment {
            Some(_) if !plan.verifies() => Err(Error::NoContainment),
            Some(_) if plan.compares_weights() => Err(Error::WeighedContainment),
            _ => Ok(()),
        }
    }
}

/// What there is to tell of what the inputs were compared against.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgainstSummary {
    /// Documents that the inputs were compared against.
    #[serde(rename = "against")]
    pub documents: u64,
    /// How many of these were taken out of the index, because they share a band with an input, or stand for one that does.
    #[serde(rename = "against_looked_at", skip_serializing_if = "Option::is_none")]
    pub looked_at: Option<u64>,
    /// How many were removed for one of these.
    #[serde(rename = "removed_against")]
    pub removed: u64,
    /// The share of the shorter text that must be in the other, if that was asked for.
    #[serde(rename = "against_containment", skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// How many of the removed ones contain the other or are contained in it.
    #[serde(rename = "removed_contained", skip_serializing_if = "Option::is_none")]
    pub contained: Option<u64>,
    /// The fewest features that were looked for.
    #[serde(rename = "against_shingles", skip_serializing_if = "Option::is_none")]
    pub least_features: Option<u32>,
    /// How many of the documents that the inputs were compared against have fewer, and were not looked for in others.
    #[serde(rename = "against_short", skip_serializing_if = "Option::is_none")]
    pub short: Option<u64>,
}

impl AgainstSummary {
    /// `None` if the inputs were compared against nothing.
    pub(crate) fn new(
        against: &Against,
        documents: &Documents,
        decisions: &Decisions,
        contained: &Contained,
    ) -> Option<Self> {
        let containment = against.containment.as_ref();
        (!against.is_empty()).then(|| AgainstSummary {
            documents: against
                .index
                .as_ref()
                .map_or(u64::from(documents.first_new), |index| index.documents()),
            looked_at: against.index.as_ref().map(|_| u64::from(documents.first_new)),
            removed: decisions.removed_for(|kept| !documents.is_new(kept)),
            share: containment.map(|containment| containment.share),
            contained: containment.map(|_| contained.len() as u64),
            least_features: containment.map(|containment| containment.least_features),
            short: containment.map(|_| contained.short()),
        })
    }
}
