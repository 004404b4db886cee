//! How near two documents are, in answers.

use lookalike::Score;
use serde::Serialize;
use utoipa::ToSchema;

/// How near two documents are. An index that verifies knows their similarity, and one by fingerprints alone their distance.
#[derive(Clone, Copy, Debug, Default, Serialize, ToSchema)]
pub(crate) struct ScoreAnswer {
    /// The exact similarity, by the measure of the index.
    #[schema(minimum = 0, maximum = 1)]
    #[serde(skip_serializing_if = "Option::is_none")]
    similarity: Option<f64>,
    /// The bits in which their fingerprints differ.
    #[schema(maximum = 128)]
    #[serde(skip_serializing_if = "Option::is_none")]
    hamming: Option<u32>,
}

impl From<Score> for ScoreAnswer {
    fn from(score: Score) -> Self {
        match score {
            Score::Similarity(similarity) => {
                ScoreAnswer { similarity: Some(similarity.value()), hamming: None }
            }
            Score::Hamming(distance) => ScoreAnswer { similarity: None, hamming: Some(distance) },
        }
    }
}
