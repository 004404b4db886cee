//! The stored form of a plan, as indexes keep it.

use super::{Method, Options, Plan};
use crate::error::PlanError;
use crate::frequent::FrequentFeatures;
use crate::plan::{Bits, FeatureHash, Measure, Scheme, Tie, Verification, Weighting};
use crate::simhash::FeatureLevels;
use crate::text::{Folds, Tokens};
use serde::{Deserialize, Serialize};

/// Every setting of a plan, by its name in options. Fields with default values are left out.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredPlan {
    #[serde(default, skip_serializing_if = "is_default")]
    method: Method,
    /// As text, which every reader reads as the same number.
    threshold: String,
    measure: Measure,
    tokens: Tokens,
    #[serde(default, skip_serializing_if = "is_default")]
    fold: Folds,
    /// The hashes of the tokens of the words.
    stop_words: Vec<u64>,
    #[serde(default, skip_serializing_if = "is_default")]
    jieba_dict: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    frequent: Option<StoredFrequent>,
    shingle: usize,
    num_perm: usize,
    scheme: Scheme,
    bands: usize,
    rows: usize,
    /// The wanted recall, if it is not the default. The signature filter uses it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    recall: Option<String>,
    seed: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    weighting: Weighting,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    levels: Option<StoredLevels>,
    #[serde(default, skip_serializing_if = "is_default")]
    feature_hash: FeatureHash,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    simhash: Option<StoredSimHash>,
    /// `estimate`, or what is not stored: exact by MinHash, and by SimHash as its own field says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    verify: Option<Verification>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredFrequent {
    /// As text, like the threshold.
    share: String,
    features: Vec<u64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredLevels {
    others: u8,
    /// Features with their levels, ascending.
    features: Vec<(u64, u8)>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredSimHash {
    bits: Bits,
    tie: Tie,
    hamming: u32,
    verify: bool,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl From<Plan> for StoredPlan {
    fn from(plan: Plan) -> Self {
        StoredPlan {
            method: plan.method(),
            threshold: plan.threshold().to_string(),
            measure: plan.measure(),
            tokens: plan.tokens(),
            fold: plan.folds(),
            stop_words: plan.stop_words().to_vec(),
            jieba_dict: plan.jieba_words().map_or_else(Vec::new, |words| words.lines().to_vec()),
            frequent: plan.frequent().map(|frequent| StoredFrequent {
                share: frequent.share().to_string(),
                features: frequent.features().to_vec(),
            }),
            shingle: plan.shingle(),
            num_perm: plan.num_perm(),
            scheme: plan.scheme(),
            bands: plan.banding().bands,
            rows: plan.banding().rows,
            recall: (plan.recall() != Plan::default().recall()).then(|| plan.recall().to_string()),
            seed: plan.seed(),
            weighting: plan.weighting(),
            levels: plan
                .levels()
                .map(|levels| StoredLevels { others: levels.others(), features: levels.given() }),
            feature_hash: plan.feature_hash(),
            simhash: plan.simhash().map(|simhash| StoredSimHash {
                bits: simhash.bits,
                tie: simhash.tie,
                hamming: simhash.hamming,
                verify: simhash.verified,
            }),
            verify: plan.estimates().then_some(Verification::Estimate),
        }
    }
}

impl TryFrom<StoredPlan> for Plan {
    type Error = PlanError;

    fn try_from(stored: StoredPlan) -> Result<Plan, PlanError> {
        let number = |option, text: &str| {
            text.parse::<f64>().map_err(|_| PlanError::out_of_range(option, text, "a number"))
        };
        let simhash = stored.simhash.as_ref();
        let options = Options {
            method: Some(stored.method),
            threshold: Some(number("threshold", &stored.threshold)?),
            measure: Some(stored.measure),
            tokens: Some(stored.tokens),
            fold: Some(stored.fold),
            shingle: Some(stored.shingle),
            num_perm: Some(stored.num_perm),
            scheme: Some(stored.scheme),
            bands: Some(stored.bands),
            rows: Some(stored.rows),
            recall: stored.recall.as_deref().map(|recall| number("recall", recall)).transpose()?,
            seed: Some(stored.seed),
            stop_words: None,
            jieba_dict: Some(stored.jieba_dict),
            weighting: Some(stored.weighting),
            feature_hash: Some(stored.feature_hash),
            bits: simhash.map(|simhash| simhash.bits),
            tie: simhash.map(|simhash| simhash.tie),
            hamming: simhash.map(|simhash| simhash.hamming),
            verify: match simhash {
                Some(simhash) => simhash.verify.then_some(Verification::Exact),
                None => stored.verify,
            },
        };
        let mut plan = options.plan()?.with_stop_words(stored.stop_words);
        if let Some(StoredLevels { others, features }) = stored.levels {
            let mut levels = FeatureLevels::new(others)?;
            features.into_iter().try_for_each(|(feature, level)| levels.insert(feature, level))?;
            plan = plan.with_levels(levels);
        }
        match stored.frequent {
            Some(frequent) => {
                let share = number("drop_frequent", &frequent.share)?;
                plan.leaving_out(FrequentFeatures::new(share, frequent.features)?)
            }
            None => Ok(plan),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Fold;
    use proptest::prelude::*;

    /// Options that make a plan, and some that do not.
    fn options() -> impl Strategy<Value = Options> {
        let kinds = (
            prop::sample::select(vec![Method::MinHash, Method::SimHash, Method::Exact]),
            prop::sample::select(Measure::ALL.map(|(_, measure)| measure).to_vec()),
            prop::sample::select(Tokens::ALL.map(|(_, tokens)| tokens).to_vec()),
            prop::sample::select(Scheme::ALL.map(|(_, scheme)| scheme).to_vec()),
            prop::sample::select(Weighting::ALL.map(|(_, weighting)| weighting).to_vec()),
            prop::sample::select(FeatureHash::ALL.map(|(_, hash)| hash).to_vec()),
            prop::sample::subsequence(Fold::ALL.map(|(_, fold)| fold).to_vec(), 0..3),
        );
        let numbers = (
            0.01..=1.0_f64,
            prop::option::of(0.01..0.9999_f64),
            1..50_usize,
            8..300_usize,
            any::<u64>(),
            prop::collection::vec("[a-z]{1,5}", 0..4),
        );
        let verify =
            prop::sample::select(vec![None, Some(Verification::Exact), Some(Verification::Estimate)]);
        let simhash = (any::<bool>(), any::<bool>(), 0..13_u32, verify);
        (kinds, numbers, simhash).prop_map(|(kinds, numbers, simhash)| Options {
            method: Some(kinds.0),
            measure: Some(kinds.1),
            tokens: Some(kinds.2),
            fold: Some(kinds.6.into_iter().collect()),
            scheme: Some(kinds.3),
            weighting: Some(kinds.4),
            feature_hash: Some(kinds.5),
            threshold: Some(numbers.0),
            recall: numbers.1,
            shingle: Some(numbers.2),
            num_perm: Some(numbers.3),
            seed: Some(numbers.4),
            stop_words: Some(numbers.5),
            jieba_dict: None,
            bands: None,
            rows: None,
            bits: Some(if simhash.0 { Bits::B64 } else { Bits::B128 }),
            tie: Some(if simhash.1 { Tie::Zero } else { Tie::One }),
            hamming: Some(simhash.2),
            verify: simhash.3,
        })
    }

    proptest! {
        #[test]
        fn a_stored_plan_is_the_same_plan_again(
            options in options(),
            frequent in prop::option::of((0.001..1.0_f64, prop::collection::vec(any::<u64>(), 0..4))),
            levels in prop::option::of((0..6_u8, prop::collection::vec((any::<u64>(), 1..6_u8), 0..4))),
        ) {
            if let Ok(mut plan) = options.plan() {
                if let Some((others, features)) = levels {
                    let mut levels = FeatureLevels::new(others).unwrap();
                    features.into_iter().for_each(|(feature, level)| levels.insert(feature, level).unwrap());
                    plan = plan.with_levels(levels);
                }
                if let Some((share, features)) = frequent {
                    plan = plan.leaving_out(FrequentFeatures::new(share, features).unwrap()).unwrap_or(plan);
                }
                let stored = serde_json::to_string(&plan).unwrap();
                prop_assert_eq!(serde_json::from_str::<Plan>(&stored).unwrap(), plan);
            }
        }

        #[test]
        fn stored_options_are_the_same_options_again(options in options()) {
            let stored = serde_json::to_string(&options).unwrap();
            let again: Options = serde_json::from_str(&stored).unwrap();
            // A JSON reader may round numbers.
            let rounded = |options: Options| {
                let round = |number: f64| (number * 1e9).round();
                (options.threshold.map(round), options.recall.map(round), Options { threshold: None, recall: None, ..options })
            };
            prop_assert_eq!(rounded(again), rounded(options));
        }
    }

    /// The stored form, also of programs of version 1. Indexes hold it.
    #[test]
    fn the_default_plan_is_written_like_this() {
        let written = r#"{"threshold":"0.8","measure":"jaccard","tokens":"words","stop_words":[],"shingle":5,"num_perm":128,"scheme":"bucketed","bands":21,"rows":6,"seed":0}"#;
        assert_eq!(serde_json::to_string(&Plan::default()).unwrap(), written);
        let frequent = FrequentFeatures::new(0.1, vec![7, 3]).unwrap();
        let written =
            written.replace(r#","shingle":5"#, r#","frequent":{"share":"0.1","features":[3,7]},"shingle":5"#);
        assert_eq!(serde_json::to_string(&Plan::default().leaving_out(frequent).unwrap()).unwrap(), written);
    }

    #[test]
    fn errors_name_what_is_wrong_with_options_and_plans() {
        let error = |json: &str| serde_json::from_str::<Options>(json).unwrap_err().to_string();
        assert!(error(r#"{"treshold":0.8}"#).starts_with("unknown field `treshold`"));
        assert!(
            error(r#"{"measure":"dice"}"#).starts_with("unknown variant `dice`, expected one of `jaccard`")
        );
        let bad = serde_json::to_string(&Plan::default()).unwrap().replace("\"0.8\"", "\"1.5\"");
        let error = serde_json::from_str::<Plan>(&bad).unwrap_err().to_string();
        assert_eq!(error, "threshold is 1.5; it must be above 0 and up to 1");
    }

    #[test]
    fn values_are_stored_by_their_option_names() {
        fn check<T: Serialize>(all: &[(&'static str, T)]) {
            for (name, value) in all {
                assert_eq!(serde_json::to_value(value).unwrap(), *name);
            }
        }
        check(&Measure::ALL);
        check(&Tokens::ALL);
        check(&Fold::ALL);
        check(&Scheme::ALL);
        check(&Weighting::ALL);
        check(&FeatureHash::ALL);
        check(&[Verification::Exact, Verification::Estimate].map(|verify| (verify.name(), verify)));
        check(&[Method::MinHash, Method::SimHash, Method::Exact].map(|method| (method.name(), method)));
        check(&[Tie::Zero, Tie::One].map(|tie| (tie.name(), tie)));
        assert_eq!(serde_json::to_value([Bits::B64, Bits::B128]).unwrap(), serde_json::json!([64, 128]));
    }
}
