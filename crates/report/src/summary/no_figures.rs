//! Keys that every summary has, for scripts that read the summaries of several verbs.

use serde::{Serialize, Serializer};

/// The keys among `documents`, `bytes`, `skipped`, `candidates`, `pairs`, `clusters`, `kept`, `removed`, `recall_estimate`, `seconds`,
/// `peak_memory_bytes` and `plan` that a verb has no figure for. Each is written as null.
///
/// Every summary has all of these keys, so a script can read the summary of any verb. Null is different from 0: `sketch` does not
/// look for clusters, while a run of `dedup` that finds none has `"clusters": 0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoFigures(&'static [&'static str]);

impl NoFigures {
    /// A verb that finds all pairs and removes nothing.
    pub const OF_REMOVAL: NoFigures = NoFigures(&["kept", "removed"]);

    /// A verb that finds pairs by reading all documents, and makes no clusters.
    pub const OF_CLUSTERS: NoFigures =
        NoFigures(&["candidates", "clusters", "kept", "removed", "recall_estimate"]);

    /// A verb that removes passages, and compares no documents.
    pub const OF_SPANS: NoFigures = NoFigures(&["candidates", "pairs", "clusters", "recall_estimate"]);

    /// A verb that looks for no pairs.
    pub const OF_PAIRS: NoFigures =
        NoFigures(&["candidates", "pairs", "clusters", "kept", "removed", "recall_estimate"]);
}

impl Serialize for NoFigures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|key| (key, ())))
    }
}
