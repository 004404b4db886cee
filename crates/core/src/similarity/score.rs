//! A pair of similar documents, and its score.

use super::{Estimate, Similarity};
use std::cmp::Ordering;
use std::fmt;

/// Two similar documents, `a` before `b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// The earlier document.
    pub a: u32,
    /// The later document.
    pub b: u32,
    /// Their similarity or distance.
    pub score: Score,
}

/// The score of a pair. In JSON it is a field of its name, `{"similarity": 0.9}` or `{"hamming": 3}`. An estimate has its
/// interval and its counts too: `estimate`, `estimate_low`, `estimate_high`, `equal_values` and `num_perm`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "json::ScoreFields", try_from = "json::ScoreFields"))]
pub enum Score {
    /// The similarity by the plan's measure.
    Similarity(Similarity),
    /// The number of different bits of their fingerprints. The similarity of the texts is not known.
    Hamming(u32),
    /// The similarity as their signatures estimate it. It is not counted.
    Estimate(Estimate),
}

impl Score {
    /// The similarity, if it was counted.
    pub fn similarity(self) -> Option<Similarity> {
        match self {
            Score::Similarity(similarity) => Some(similarity),
            Score::Hamming(_) | Score::Estimate(_) => None,
        }
    }
}

impl Score {
    /// The order of scores of one plan, the nearest documents first.
    pub fn by_nearness(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Score::Hamming(a), Score::Hamming(b)) => a.cmp(b),
            (Score::Similarity(a), Score::Similarity(b)) => b.value().total_cmp(&a.value()),
            (Score::Estimate(a), Score::Estimate(b)) => b.equal.cmp(&a.equal),
            // Scores of several plans, by their kind.
            (a, b) => a.kind().cmp(&b.kind()),
        }
    }

    fn kind(self) -> u8 {
        match self {
            Score::Similarity(_) => 0,
            Score::Hamming(_) => 1,
            Score::Estimate(_) => 2,
        }
    }
}

/// The sign bit of a number, which no similarity has set.
const HAMMING: u64 = 1 << 63;

/// The highest bit of the exponent of a number, which only numbers from 2 on have set.
const ESTIMATE: u64 = 1 << 62;

impl Score {
    /// The score as bits, for storage.
    pub fn to_bits(self) -> u64 {
        match self {
            Score::Similarity(similarity) => similarity.value().to_bits(),
            Score::Hamming(distance) => HAMMING | u64::from(distance),
            // A signature has 4,096 values at most.
            Score::Estimate(Estimate { equal, values }) => {
                ESTIMATE | u64::from(values) << 32 | u64::from(equal)
            }
        }
    }

    /// The score from [`Score::to_bits`].
    pub fn from_bits(bits: u64) -> Self {
        match (bits & HAMMING, bits & ESTIMATE) {
            (0, 0) => Score::Similarity(Similarity::new(f64::from_bits(bits))),
            (0, _) => {
                Score::Estimate(Estimate { equal: bits as u32, values: ((bits ^ ESTIMATE) >> 32) as u32 })
            }
            _ => Score::Hamming(bits as u32),
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Similarity(similarity) => similarity.fmt(f),
            Score::Hamming(distance) => distance.fmt(f),
            Score::Estimate(estimate) => estimate.fmt(f),
        }
    }
}

#[cfg(feature = "serde")]
mod json {
    use super::{Estimate, Score, Similarity};
    use serde::{Deserialize, Serialize};

    /// The fields of a score. Those that it has not are left out.
    #[derive(Clone, Copy, Default, Serialize, Deserialize)]
    pub(super) struct ScoreFields {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        similarity: Option<Similarity>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hamming: Option<u32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        estimate: Option<Similarity>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        estimate_low: Option<Similarity>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        estimate_high: Option<Similarity>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        equal_values: Option<u32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        num_perm: Option<u32>,
    }

    impl From<Score> for ScoreFields {
        fn from(score: Score) -> Self {
            let none = ScoreFields::default();
            match score {
                Score::Similarity(similarity) => ScoreFields { similarity: Some(similarity), ..none },
                Score::Hamming(distance) => ScoreFields { hamming: Some(distance), ..none },
                Score::Estimate(estimate) => {
                    let [low, high] = estimate.interval().map(Some);
                    ScoreFields {
                        estimate: Some(estimate.similarity()),
                        estimate_low: low,
                        estimate_high: high,
                        equal_values: Some(estimate.equal),
                        num_perm: Some(estimate.values),
                        ..none
                    }
                }
            }
        }
    }

    impl TryFrom<ScoreFields> for Score {
        type Error = &'static str;

        fn try_from(fields: ScoreFields) -> Result<Score, &'static str> {
            match (fields.similarity, fields.hamming, fields.equal_values.zip(fields.num_perm)) {
                (Some(similarity), _, _) => Ok(Score::Similarity(similarity)),
                (None, Some(distance), _) => Ok(Score::Hamming(distance)),
                (None, None, Some((equal, values))) => Ok(Score::Estimate(Estimate { equal, values })),
                (None, None, None) => Err("a score is a similarity, a distance or an estimate"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "serde")]
    #[test]
    fn a_score_in_json_is_a_field_and_is_checked() {
        for (json, score) in [
            ("{\"similarity\":0.5}", Score::Similarity(Similarity::ratio(1, 2))),
            ("{\"hamming\":3}", Score::Hamming(3)),
        ] {
            assert_eq!(serde_json::to_string(&score).unwrap(), json);
            assert_eq!(serde_json::from_str::<Score>(json).unwrap(), score);
        }
        for json in
            ["{\"similarity\":1.1}", "{\"similarity\":-0.5}", "{\"hamming\":-1}", "{\"estimate\":0.5}", "{}"]
        {
            assert!(serde_json::from_str::<Score>(json).is_err(), "{json}");
        }
    }

    #[cfg(feature = "serde")]
    #[test]
    fn an_estimate_in_json_has_its_interval_and_its_counts() {
        let score = Score::Estimate(Estimate { equal: 7, values: 8 });
        let json = serde_json::to_value(score).unwrap();
        let [low, estimate, high] =
            ["estimate_low", "estimate", "estimate_high"].map(|field| json[field].as_f64().unwrap());
        assert!(0.0 < low && low < estimate && estimate < high && high < 1.0, "{json}");
        assert_eq!((&json["equal_values"], &json["num_perm"]), (&7.into(), &8.into()));
        assert_eq!(serde_json::from_value::<Score>(json).unwrap(), score);
    }

    #[test]
    fn a_score_survives_its_conversion_to_bits() {
        let similarities =
            [(0, 1), (1, 3), (7, 9), (1, 1)].map(|(part, whole)| Similarity::ratio(part, whole));
        let estimates = [(0, 8), (128, 128), (4096, 4096)];
        let estimates = estimates.map(|(equal, values)| Score::Estimate(Estimate { equal, values }));
        let all = similarities.map(Score::Similarity).into_iter().chain([0, 3, 128].map(Score::Hamming));
        let all = all.chain(estimates);
        for score in all {
            assert_eq!(Score::from_bits(score.to_bits()), score);
        }
    }
}
