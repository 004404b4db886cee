//! How near two documents are, in answers.

use lookalike::Score;
use serde::Serialize;
use utoipa::ToSchema;

/// How near two documents are. An index that verifies knows their similarity, one by fingerprints alone their distance, and one by signatures
/// alone an estimate of their similarity.
#[derive(Clone, Copy, Debug, Default, Serialize, ToSchema)]
pub(crate) struct ScoreAnswer {
    /// The exact similarity, by the measure of the index.
    #[schema(minimum = 0, maximum = 1)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) similarity: Option<f64>,
    /// The bits in which their fingerprints differ.
    #[schema(maximum = 128)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hamming: Option<u32>,
    /// The similarity that their signatures estimate.
    #[schema(minimum = 0, maximum = 1)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) estimate: Option<f64>,
    /// The least similarity in the interval of 95 % of this estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate_low: Option<f64>,
    /// The greatest similarity in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate_high: Option<f64>,
}

impl From<Score> for ScoreAnswer {
    fn from(score: Score) -> Self {
        match score {
            Score::Similarity(similarity) => {
                ScoreAnswer { similarity: Some(similarity.value()), ..ScoreAnswer::default() }
            }
            Score::Hamming(distance) => ScoreAnswer { hamming: Some(distance), ..ScoreAnswer::default() },
            Score::Estimate(estimate) => {
                let [low, high] = estimate.interval().map(|end| Some(end.value()));
                ScoreAnswer {
                    estimate: Some(estimate.similarity().value()),
                    estimate_low: low,
                    estimate_high: high,
                    ..ScoreAnswer::default()
                }
            }
        }
    }
}
