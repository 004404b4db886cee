//! The share of the pairs that a search found.

use lookalike::quality::Recall;
use lookalike_engine::recall::RecallAudit;
use lookalike_engine::{PlanSummary, SearchSummary};
use serde::Serialize;

/// The share of all pairs at or above the threshold that a search found.
#[derive(Clone, Debug, Serialize)]
pub struct RecallSummary {
    /// The share, estimated. `None` if there are no two documents, or for one of the reasons of [`RecallSummary::unknown`].
    pub recall_estimate: Option<f64>,
    /// The interval that holds the share with a probability of 95 %, whether the pairs of a cluster are missed together or one by one.
    /// The clusters of `dedup` also hold pairs that were never compared, so its upper end is 1 there.
    pub recall_interval: Option<[f64; 2]>,
    /// The measurement of an audit, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit: Option<RecallAudit>,
}

impl RecallSummary {
    /// What is estimated of the recall, and what an audit has measured.
    pub fn new(recall: Option<Recall>, audit: Option<RecallAudit>) -> Self {
        RecallSummary {
            recall_estimate: recall.map(|recall| recall.recall),
            recall_interval: recall.map(|recall| [recall.low, recall.high]),
            audit,
        }
    }

    /// Why the recall of a search by `plan` that found so many `pairs` is unknown. `None` if it is known, if the distance of
    /// fingerprints decides alone, or if there is nothing to find.
    pub fn unknown(&self, plan: &PlanSummary, pairs: u64) -> Option<&'static str> {
        match (plan.measure, self.recall_estimate) {
            (None, _) | (_, Some(_)) => None,
            _ if !plan.recall_is_known => Some(match plan.search {
                SearchSummary::Fingerprints { .. } => {
                    "SimHash searches by other features or weights than those of the measure"
                }
                _ => "MinHash searches by the Jaccard similarity of shingles, and the measure is another one",
            }),
            _ if plan.verify.is_some() => {
                Some("signatures estimate the similarity of the found pairs, and nothing counts it")
            }
            _ if pairs > 0 => Some(
                "some pairs have too few features, or differ in too few, to compute the chance that SimHash finds them",
            ),
            _ => None,
        }
    }
}
