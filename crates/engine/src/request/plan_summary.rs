//! A plan in words, for summaries.

use lookalike::frequent::FrequentFeatures;
use lookalike::text::Fold;
use lookalike::{Method, Plan, Verification};
use serde::Serialize;

/// A plan in words.
#[derive(Clone, Debug, Serialize)]
pub struct PlanSummary {
    /// Names the sketch bits.
    pub id: String,
    /// The method by which pairs are searched.
    pub method: &'static str,
    /// Why it was chosen, if the program chose the method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The measure of similarity, or `None` if the distance of fingerprints decides alone.
    pub measure: Option<&'static str>,
    /// `estimate` if signatures estimate it, or `None` if it is counted or there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify: Option<&'static str>,
    /// Whether the recall can be estimated: sketches estimate the measure, or the distance decides alone.
    pub recall_is_known: bool,
    /// The least similarity of similar documents, or `None` if the distance of fingerprints decides alone.
    pub threshold: Option<f64>,
    /// How texts are cut into tokens.
    pub tokens: &'static str,
    /// What else does not count in texts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fold: Vec<&'static str>,
    /// Tokens per shingle.
    pub shingle: usize,
    /// The number of stop words.
    pub stop_words: usize,
    /// Shingles of more than this share of the documents do not count, if they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drop_frequent: Option<f64>,
    /// The number of these shingles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frequent: Option<usize>,
    /// The weighting of features.
    pub weights: &'static str,
    /// Names the content of the table of weights, if there is one. Fingerprints by different tables cannot be compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The parameters of the method.
    #[serde(flatten)]
    pub search: SearchSummary,
    /// The seed of all hash functions.
    pub seed: u64,
}

/// The parameters of a plan that belong to one method.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum SearchSummary {
    /// MinHash and bands.
    Bands {
        /// Values per signature.
        num_perm: usize,
        /// How signatures are made.
        scheme: &'static str,
        /// Bands per signature.
        bands: usize,
        /// Values per band.
        rows: usize,
        /// The probability that a pair at the threshold is found, or `None` if sketches do not estimate the measure.
        recall_at_threshold: Option<f64>,
        /// The probability that was asked for. It is not reached where even bands of one value are not enough.
        wanted_recall: f64,
        /// The similarity from which 99 of 100 pairs are found, if signatures estimate it: their errors lose pairs at the threshold.
        #[serde(skip_serializing_if = "Option::is_none")]
        found_from: Option<f64>,
    },
    /// The features themselves.
    Features {},
    /// SimHash and Hamming distance.
    Fingerprints {
        /// Bits of a fingerprint.
        bits: u32,
        /// Bits in which two may differ.
        hamming: u32,
        /// The rule for ties.
        tie: &'static str,
        /// The hash function that makes features of shingles, or "table".
        feature_hash: &'static str,
        /// Names the content of the table of hashes, if there is one. Fingerprints by different tables cannot be compared.
        #[serde(skip_serializing_if = "Option::is_none")]
        hash_table: Option<String>,
        /// The probability that a pair at the threshold is found, or `None` if the distance decides alone or fingerprints do not estimate the
        /// measure.
        recall_at_threshold: Option<f64>,
    },
}

impl SearchSummary {
    /// The probability that a pair at the threshold is found, if it is known.
    pub fn recall_at_threshold(&self) -> Option<f64> {
        match *self {
            SearchSummary::Bands { recall_at_threshold, .. }
            | SearchSummary::Fingerprints { recall_at_threshold, .. } => recall_at_threshold,
            SearchSummary::Features {} => Some(1.0),
        }
    }

    /// The similarity from which 99 of 100 pairs are found, if signatures estimate it.
    pub fn found_from(&self) -> Option<f64> {
        match *self {
            SearchSummary::Bands { found_from, .. } => found_from,
            SearchSummary::Features {} | SearchSummary::Fingerprints { .. } => None,
        }
    }

    /// The probability that a pair at the threshold is found, and the one that was asked for, if the bands do not reach that. No bands reach it
    /// if even bands of one value do not, and bands may have been given.
    pub fn out_of_reach(&self) -> Option<(f64, f64)> {
        match *self {
            // By estimates, half of what the bands find at the threshold is all there is.
            SearchSummary::Bands {
                recall_at_threshold: Some(reached), wanted_recall, found_from, ..
            } => {
                let reachable = if found_from.is_some() { LEAST_ESTIMATED } else { wanted_recall };
                (reached < reachable).then_some((reached, wanted_recall))
            }
            _ => None,
        }
    }
}

impl PlanSummary {
    /// This plan in words.
    pub fn new(plan: &Plan) -> Self {
        let measures = !plan.decides_by_distance();
        let recall_at_threshold =
            (measures && plan.recall_is_known()).then(|| plan.chance_at(plan.threshold()));
        let search = match plan.simhash() {
            None if plan.method() == Method::Exact => SearchSummary::Features {},
            None => SearchSummary::Bands {
                num_perm: plan.num_perm(),
                scheme: plan.scheme().name(),
                bands: plan.banding().bands,
                rows: plan.banding().rows,
                recall_at_threshold,
                wanted_recall: plan.recall(),
                found_from: plan.estimates().then(|| found_from(plan)),
            },
            Some(simhash) => SearchSummary::Fingerprints {
                bits: simhash.bits.count(),
                hamming: simhash.hamming,
                tie: simhash.tie.name(),
                feature_hash: plan.feature_hash().name(),
                hash_table: None,
                recall_at_threshold,
            },
        };
        PlanSummary {
            id: plan.id().to_string(),
            method: plan.method().name(),
            reason: None,
            measure: measures.then(|| plan.measure().name()),
            verify: plan.estimates().then(|| Verification::Estimate.name()),
            recall_is_known: !measures || plan.recall_is_known(),
            threshold: measures.then(|| plan.threshold()),
            tokens: plan.tokens().name(),
            fold: plan.folds().iter().map(Fold::name).collect(),
            shingle: plan.shingle(),
            stop_words: plan.stop_words().len(),
            drop_frequent: plan.frequent().map(FrequentFeatures::share),
            frequent: plan.frequent().map(|frequent| frequent.features().len()),
            weights: plan.weighting().name(),
            table: None,
            search,
            seed: plan.seed(),
        }
    }
}

/// Estimates find half of the pairs at the threshold, and with few values a third. Fewer are found only if the bands lose them.
const LEAST_ESTIMATED: f64 = 0.25;

/// The similarity in hundredths from which a plan finds 99 of 100 pairs.
fn found_from(plan: &Plan) -> f64 {
    let hundredths = (0..=100).map(|hundredth| f64::from(hundredth) / 100.0);
    let mut enough =
        hundredths.filter(|&similarity| similarity >= plan.threshold() && plan.chance_at(similarity) >= 0.99);
    enough.next().unwrap_or(1.0)
}
