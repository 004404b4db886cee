//! What a summary tells of the documents that inputs were compared against.

use crate::request::Against;
use lookalike_engine::decisions::Decisions;
use lookalike_engine::documents::Documents;
use lookalike_engine::search::contained::Contained;
use serde::Serialize;

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
