//! Which documents of the clusters `dedup` keeps.

use lookalike::Score;
use lookalike_engine::decisions::Decisions;
use lookalike_engine::decisions::Loose;
use lookalike_engine::documents::DocumentNames;
use serde::Serialize;

/// What `dedup` keeps and removes.
#[derive(Clone, Debug, Serialize)]
pub struct RemovalSummary {
    /// How clusters are made: `union`, `star` or `against`.
    pub clustering: &'static str,
    /// Clusters in which a removed document is no pair with the kept one. A chain of pairs connects the two.
    pub loose_clusters: u64,
    /// The loosest of these, up to five.
    pub loosest: Vec<LooseCluster>,
    /// The share of a document that must be in the kept one, if `--min-containment` was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_containment: Option<f64>,
    /// Documents that are kept only for this reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept_for_content: Option<u64>,
    /// Documents kept.
    pub kept: u64,
    /// Documents removed.
    pub removed: u64,
    /// Bytes of their texts.
    pub removed_bytes: u64,
    /// Words of their texts, or other tokens if the plan cuts texts into others. Stop words are not counted.
    pub removed_words: u64,
}

/// A cluster that is connected by chains of pairs.
#[derive(Clone, Debug, Serialize)]
pub struct LooseCluster {
    /// Its number in the lists.
    pub cluster: u64,
    /// Its members.
    pub documents: u64,
    /// The kept one of the two least similar documents: its id, or file and line if no list needs ids. `None` if the cluster
    /// keeps no document; the first one then stands for it.
    pub kept_id: Option<String>,
    /// The removed one.
    pub removed_id: String,
    /// Their similarity; `None` if sketches decide alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_similarity: Option<f64>,
    /// The estimate of it, if that decides alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_estimate: Option<f64>,
    /// The distance of their fingerprints, if that decides alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub greatest_distance: Option<u32>,
}

impl LooseCluster {
    /// Names the two least similar documents of a loose cluster.
    pub fn new(names: &DocumentNames<'_>, decisions: &Decisions, loose: &Loose) -> Self {
        let cluster = decisions.cluster(loose.cluster);
        let kept = cluster.kept[loose.member];
        LooseCluster {
            cluster: loose.cluster as u64 + 1,
            documents: cluster.members.len() as u64,
            kept_id: decisions.keeps(kept).then(|| names.id(kept).into_owned()),
            removed_id: names.id(cluster.members[loose.member]).into_owned(),
            least_similarity: loose.score.similarity().map(|similarity| similarity.value()),
            least_estimate: match loose.score {
                Score::Estimate(estimate) => Some(estimate.similarity().value()),
                Score::Similarity(_) | Score::Hamming(_) => None,
            },
            greatest_distance: match loose.score {
                Score::Hamming(distance) => Some(distance),
                Score::Similarity(_) | Score::Estimate(_) => None,
            },
        }
    }
}
