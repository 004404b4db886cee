//! The options of a plan, and their defaults.

use super::stop_words::stop_word_hashes;
use super::{Banding, Bits, FeatureHash, Measure, Plan, Scheme, SignatureFilter, SimHash, Tie, Weighting};
use crate::error::PlanError;
use crate::text::{Folds, JiebaWords, Tokens};
use std::sync::Arc;

/// The options of a plan, all optional. [`Options::plan`] chooses the missing ones.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Options {
    /// The method by which pairs are searched. Default MinHash.
    pub method: Option<Method>,
    /// The similarity from which two documents are similar, above 0 and up to 1. Default 0.8.
    pub threshold: Option<f64>,
    /// The measure of similarity. Default Jaccard.
    pub measure: Option<Measure>,
    /// The rule that cuts texts into tokens. Default words.
    pub tokens: Option<Tokens>,
    /// What else does not count in texts. Default nothing.
    pub fold: Option<Folds>,
    /// Tokens per shingle, from 1 to 1,000. Default 5, or 1 if words are compared.
    pub shingle: Option<usize>,
    /// Values per signature, from 8 to 4,096. Default 128.
    pub num_perm: Option<usize>,
    /// The scheme by which signatures are made. Default bucketed.
    pub scheme: Option<Scheme>,
    /// Bands of the signature. By default, as many as the rows leave room for.
    pub bands: Option<usize>,
    /// Values per band. By default, as many as the wanted recall allows.
    pub rows: Option<usize>,
    /// The wanted probability of finding a pair *at* the threshold. Default 0.995.
    pub recall: Option<f64>,
    /// The seed of all hash functions. Default 0.
    pub seed: Option<u64>,
    /// Words that make no features: each counts as its tokens. Default none.
    pub stop_words: Option<Vec<String>>,
    /// Lines of a user dictionary of jieba: a word, and perhaps its frequency. Default none. They need tokens jieba.
    pub jieba_dict: Option<Vec<String>>,
    /// The weighting of features, for fingerprints and for the cosine. Default set.
    pub weighting: Option<Weighting>,
    /// The hash function that makes features of shingles. Default XXH3. The others need SimHash.
    pub feature_hash: Option<FeatureHash>,
    /// Bits of a fingerprint. Default 64.
    pub bits: Option<Bits>,
    /// The value of a bit with equal weight for it and against it. Default 0.
    pub tie: Option<Tie>,
    /// Bits in which fingerprints may differ, up to 12. Default 3 of 64 bits and 6 of 128 bits. With `verify`, 10 and
    /// 12.
    pub hamming: Option<u32>,
    /// What decides about candidates, in place of the default of the method.
    pub verify: Option<Verification>,
}

/// What decides about candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Verification {
    /// The measure, counted in the features of both documents. The default of MinHash and of the exact join. With SimHash
    /// the default is the distance of fingerprints alone.
    Exact,
    /// The Jaccard similarity that two MinHash signatures estimate. No features are needed.
    Estimate,
}

impl Verification {
    /// The name in options and files.
    pub fn name(self) -> &'static str {
        match self {
            Verification::Exact => "exact",
            Verification::Estimate => "estimate",
        }
    }
}

/// The method by which pairs are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Method {
    /// By bands of MinHash signatures.
    #[default]
    MinHash,
    /// By the Hamming distance of SimHash fingerprints.
    SimHash,
    /// By prefixes of rare features. Finds every pair at or above the threshold.
    Exact,
}

impl Method {
    /// The name in options and files.
    pub fn name(self) -> &'static str {
        match self {
            Method::MinHash => "minhash",
            Method::SimHash => "simhash",
            Method::Exact => "exact",
        }
    }
}

impl Options {
    /// Resolves these options into a plan.
    ///
    /// # Errors
    /// [`PlanError`] names the option that is out of range, or the two that conflict.
    pub fn plan(&self) -> Result<Plan, PlanError> {
        let threshold = checked_threshold(self.threshold.unwrap_or(0.8))?;
        let recall = self.recall.unwrap_or(0.995);
        if !(recall > 0.0 && recall < 1.0) {
            return Err(PlanError::out_of_range("recall", recall, "above 0 and below 1"));
        }
        let measure = self.measure.unwrap_or_default();
        let shingle = self.shingle.unwrap_or(if measure == Measure::WordJaccard { 1 } else { 5 });
        if !(1..=1_000).contains(&shingle) {
            return Err(PlanError::out_of_range("shingle", shingle, "from 1 to 1000"));
        }
        let num_perm = self.num_perm.unwrap_or(128);
        if !(8..=4_096).contains(&num_perm) {
            return Err(PlanError::out_of_range("num_perm", num_perm, "from 8 to 4096"));
        }
        let jaccard = measure.least_jaccard(threshold);
        let banding = self.banding(jaccard, num_perm, recall)?;
        let feature_hash = self.feature_hash.unwrap_or_default();
        let method = self.method.unwrap_or_default();
        let simhash = match method {
            Method::SimHash => Some(self.simhash()?),
            _ if feature_hash != FeatureHash::Xxh3 => return Err(PlanError::FeatureHash),
            Method::MinHash | Method::Exact => None,
        };
        let estimates = self.verify == Some(Verification::Estimate);
        if estimates && method != Method::MinHash {
            return Err(PlanError::EstimatedMethod);
        }
        if estimates && measure != Measure::Jaccard {
            return Err(PlanError::EstimatedMeasure { measure: measure.name() });
        }
        let mut plan = Plan {
            threshold,
            measure,
            tokens: self.tokens.unwrap_or_default(),
            folds: self.fold.unwrap_or_default(),
            stop_words: Arc::default(),
            jieba_words: None,
            frequent: None,
            shingle,
            feature_hash,
            weighting: self.weighting.unwrap_or_default(),
            levels: None,
            method,
            simhash,
            num_perm,
            scheme: self.scheme.unwrap_or_default(),
            banding,
            recall,
            signature_filter: SignatureFilter::of_plan(estimates, jaccard, num_perm, banding, recall),
            estimates,
            seed: self.seed.unwrap_or(0),
        };
        if plan.tokens == Tokens::Whitespace && !plan.folds.is_empty() {
            return Err(PlanError::FoldedWhitespace);
        }
        if method == Method::Exact && plan.compares_weights() {
            return Err(PlanError::ExactWeights);
        }
        if let Some(lines) = self.jieba_dict.as_ref().filter(|lines| !lines.is_empty()) {
            if plan.tokens.name() != "jieba" {
                return Err(PlanError::JiebaWords);
            }
            let words = JiebaWords::read(lines, plan.folds)?;
            plan.jieba_words = (!words.lines().is_empty()).then(|| Arc::new(words));
        }
        if let Some(words) = &self.stop_words {
            plan.stop_words = stop_word_hashes(&plan, words)?.into();
        }
        Ok(plan)
    }

    /// The requested bands and rows, or those that find pairs of this Jaccard similarity.
    fn banding(&self, jaccard: f64, num_perm: usize, recall: f64) -> Result<Banding, PlanError> {
        let banding = match (self.bands, self.rows) {
            (None, None) => Banding::for_recall(jaccard, num_perm, recall),
            (bands, Some(rows)) => {
                Banding { bands: bands.unwrap_or(num_perm.checked_div(rows).unwrap_or(0)), rows }
            }
            (Some(bands), None) => {
                let rows = Banding::for_recall(jaccard, num_perm, recall).rows;
                Banding { bands, rows: rows.min(num_perm.checked_div(bands).unwrap_or(0)) }
            }
        };
        if banding.bands == 0 || banding.rows == 0 || banding.bands.saturating_mul(banding.rows) > num_perm {
            if self.bands == Some(0) || self.rows == Some(0) {
                let option = if self.rows == Some(0) { "rows" } else { "bands" };
                return Err(PlanError::out_of_range(option, 0, "1 or more"));
            }
            return Err(PlanError::Banding {
                bands: banding.bands.max(1),
                rows: banding.rows.max(1),
                num_perm,
            });
        }
        Ok(banding)
    }

    fn simhash(&self) -> Result<SimHash, PlanError> {
        let (bits, verified) = (self.bits.unwrap_or_default(), self.verify == Some(Verification::Exact));
        let hamming = self.hamming.unwrap_or(match (bits, verified) {
            (Bits::B64, false) => 3,
            (Bits::B64, true) => 10,
            (Bits::B128, false) => 6,
            (Bits::B128, true) => 12,
        });
        if hamming > 12 {
            return Err(PlanError::out_of_range("hamming", hamming, "from 0 to 12"));
        }
        Ok(SimHash { bits, tie: self.tie.unwrap_or_default(), hamming, verified })
    }
}

/// The threshold, if it is one.
pub(super) fn checked_threshold(threshold: f64) -> Result<f64, PlanError> {
    match threshold > 0.0 && threshold <= 1.0 {
        true => Ok(threshold),
        false => Err(PlanError::out_of_range("threshold", threshold, "above 0 and up to 1")),
    }
}
