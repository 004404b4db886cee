//! A plan as it is stored, so that nobody has to say it again.

use lookalike::{Measure, Method, Options, Plan, Scheme, Tokens};
use serde::{Deserialize, Serialize};

/// Everything that decides what is found, by the names that people give it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredPlan {
    /// As text, which is read as the same number again.
    threshold: String,
    measure: String,
    tokens: String,
    /// The hashes of those that count.
    stop_words: Vec<u64>,
    shingle: usize,
    num_perm: usize,
    scheme: String,
    bands: usize,
    rows: usize,
    /// The wanted recall, if it is not the usual one: the signature filter goes by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    recall: Option<String>,
    seed: u64,
}

impl StoredPlan {
    /// Of a plan that searches by MinHash, and compares sets.
    pub(super) fn new(plan: &Plan) -> Self {
        StoredPlan {
            threshold: plan.threshold().to_string(),
            measure: plan.measure().name().to_owned(),
            tokens: plan.tokens().name().to_owned(),
            stop_words: plan.stop_words().to_vec(),
            shingle: plan.shingle(),
            num_perm: plan.num_perm(),
            scheme: plan.scheme().name().to_owned(),
            bands: plan.banding().bands,
            rows: plan.banding().rows,
            recall: (plan.recall() != Plan::default().recall()).then(|| plan.recall().to_string()),
            seed: plan.seed(),
        }
    }

    /// The plan; `None` if this program does not know it.
    pub(super) fn plan(&self) -> Option<Plan> {
        let named = |name: &str, all: &[(&'static str, Measure)]| {
            all.iter().find(|(known, _)| *known == name).map(|(_, measure)| *measure)
        };
        let scheme = Scheme::ALL.into_iter().find(|(name, _)| *name == self.scheme)?.1;
        let options = Options {
            method: Some(Method::MinHash),
            threshold: Some(self.threshold.parse().ok()?),
            measure: Some(named(&self.measure, &Measure::ALL)?),
            tokens: Some(Tokens::named(&self.tokens)?),
            shingle: Some(self.shingle),
            num_perm: Some(self.num_perm),
            scheme: Some(scheme),
            bands: Some(self.bands),
            rows: Some(self.rows),
            recall: self.recall.as_ref().map(|recall| recall.parse()).transpose().ok()?,
            seed: Some(self.seed),
            ..Options::default()
        };
        Some(options.plan().ok()?.with_stop_words(self.stop_words.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_stored_plan_is_the_same_plan_again(
            threshold in 0.01..=1.0_f64,
            recall in prop::option::of(0.01..0.9999_f64),
            (measure, tokens, scheme) in (0..Measure::ALL.len(), 0..Tokens::ALL.len(), 0..Scheme::ALL.len()),
            (shingle, num_perm, seed) in (1..50_usize, 8..300_usize, any::<u64>()),
            words in prop::collection::vec("[a-z]{1,5}", 0..4),
        ) {
            let options = Options {
                threshold: Some(threshold),
                recall,
                measure: Some(Measure::ALL[measure].1),
                tokens: Some(Tokens::ALL[tokens].1),
                scheme: Some(Scheme::ALL[scheme].1),
                shingle: Some(shingle),
                num_perm: Some(num_perm),
                seed: Some(seed),
                stop_words: Some(words),
                ..Options::default()
            };
            let plan = options.plan().unwrap();
            let json = serde_json::to_string(&StoredPlan::new(&plan)).unwrap();
            let stored: StoredPlan = serde_json::from_str(&json).unwrap();
            prop_assert_eq!(stored.plan(), Some(plan));
        }
    }
}
