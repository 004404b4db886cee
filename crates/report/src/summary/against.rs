//! The documents that the inputs were compared against.

use serde::Serialize;

/// Documents of `--against`, and what was removed because of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgainstSummary {
    /// Documents that the inputs were compared against.
    #[serde(rename = "against")]
    pub documents: u64,
    /// Documents that were read from the index: they share a band with an input, or are the first of a cluster with one that does.
    #[serde(rename = "against_looked_at", skip_serializing_if = "Option::is_none")]
    pub looked_at: Option<u64>,
    /// Inputs that were removed for one of them.
    #[serde(rename = "removed_against")]
    pub removed: u64,
    /// The share of the shorter text that must be in the other, if `--against-containment` was given.
    #[serde(rename = "against_containment", skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// Inputs that were removed because they contain the other text, or are contained in it.
    #[serde(rename = "removed_contained", skip_serializing_if = "Option::is_none")]
    pub contained: Option<u64>,
    /// The fewest features of a text that is searched for in others.
    #[serde(rename = "against_shingles", skip_serializing_if = "Option::is_none")]
    pub least_features: Option<u32>,
    /// Documents of `--against` that have fewer features, and were not searched for.
    #[serde(rename = "against_short", skip_serializing_if = "Option::is_none")]
    pub short: Option<u64>,
}
