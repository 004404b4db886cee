//! By what the canonical document of a cluster is chosen.

use lookalike_index::About;

/// Which document of a cluster stands for it. Of equal ones it is the one that was added first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Canonical {
    /// The one that was added first.
    #[default]
    First,
    /// The one with the shortest URL.
    ShortestUrl,
    /// The one with the longest text.
    LongestText,
    /// The one with the highest priority.
    Priority,
}

impl Canonical {
    /// All policies.
    pub const ALL: [Canonical; 4] =
        [Canonical::First, Canonical::ShortestUrl, Canonical::LongestText, Canonical::Priority];

    /// The name of the policy.
    pub fn name(self) -> &'static str {
        match self {
            Canonical::First => "first",
            Canonical::ShortestUrl => "shortest-url",
            Canonical::LongestText => "longest-text",
            Canonical::Priority => "priority",
        }
    }

    /// What the policy compares of a document with a text of this `length`: less is better. Infinite without a URL or a priority. Of equal documents, the
    /// one that was added first is better.
    pub fn cost(self, about: &About, length: u64) -> f64 {
        match self {
            Canonical::First => 0.0,
            Canonical::ShortestUrl => about.url.as_ref().map_or(f64::INFINITY, |url| url.len() as f64),
            // Exact: no text has a length of 2⁵³.
            Canonical::LongestText => -(length as f64),
            Canonical::Priority => -about.priority.unwrap_or(f64::NEG_INFINITY),
        }
    }
}
