//! Options that would have no effect are refused.

use super::Given;
use crate::error;
use lookalike::{Measure, Method, Tokens, Verification, Weighting};
use pyo3::prelude::*;

impl Given {
    /// Refuses an option that would change nothing, because the caller expects something from it.
    pub(crate) fn refuse_without_effect(&self, py: Python<'_>) -> PyResult<()> {
        let given = &self.options;
        let simhash = given.method == Some(Method::SimHash);
        let weighs = simhash || given.measure == Some(Measure::Cosine);
        let minhash = !simhash && given.method != Some(Method::Exact);
        let is_exact = given.verify == Some(Verification::Exact);
        let estimates = given.verify == Some(Verification::Estimate);
        let compares = !simhash || is_exact;
        let weights = |wanted| given.weighting == Some(wanted);
        let (by_simhash, by_minhash) = ("method=\"simhash\"", "method=\"minhash\"");
        let by_comparison = "verify=True; without it the distance of fingerprints decides alone";
        let is_jieba = given.tokens.is_some_and(|tokens| tokens.name() == "jieba");
        let effects = [
            ("hamming", given.hamming.is_some(), simhash, by_simhash),
            ("verify=\"estimate\"", estimates, minhash, by_minhash),
            ("bits", given.bits.is_some(), simhash, by_simhash),
            ("tie", given.tie.is_some(), simhash, by_simhash),
            ("feature_hash", given.feature_hash.is_some(), simhash, by_simhash),
            ("weights", given.weighting.is_some(), weighs, "method=\"simhash\" or measure=\"cosine\""),
            ("threshold", given.threshold.is_some(), compares, by_comparison),
            ("measure", given.measure.is_some(), compares, by_comparison),
            (
                "stop_words",
                given.stop_words.is_some(),
                given.tokens != Some(Tokens::Chars),
                "tokens=\"words\", \"whitespace\" or \"jieba\"",
            ),
            ("jieba_dict", given.jieba_dict.is_some(), is_jieba, "tokens=\"jieba\""),
            (
                "fold",
                given.fold.is_some(),
                given.tokens != Some(Tokens::Whitespace),
                "tokens=\"words\", \"chars\" or \"jieba\"",
            ),
            ("recall", given.recall.is_some(), minhash, by_minhash),
            ("num_perm", given.num_perm.is_some(), minhash, by_minhash),
            ("bands", given.bands.is_some(), minhash, by_minhash),
            ("rows", given.rows.is_some(), minhash, by_minhash),
            ("scheme", given.scheme.is_some(), minhash, by_minhash),
            (
                "frequencies",
                self.frequencies.is_some(),
                weights(Weighting::TfIdf) || self.drop_frequent.is_some(),
                "weights=\"tf-idf\" or drop_frequent",
            ),
            ("levels", self.levels.is_some(), weights(Weighting::Levels), "weights=\"levels\""),
        ];
        if let Some((option, _, _, with)) = effects.into_iter().find(|(_, given, acts, _)| *given && !acts) {
            return Err(error::plan(py, option, format!("{option} needs {with}")));
        }
        if self.drop_frequent.is_some() && weights(Weighting::TfIdf) {
            let message = "weights=\"tf-idf\" weighs frequent shingles down already: leave out drop_frequent";
            return Err(error::plan(py, "drop_frequent", message));
        }
        if weights(Weighting::Levels) && self.levels.is_none() {
            return Err(error::plan(py, "weights", "weights=\"levels\" needs levels"));
        }
        Ok(())
    }
}
