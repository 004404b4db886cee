//! A plan in words, as summaries and indexes tell of it.

use lookalike::{Method, Plan};
use serde::Serialize;

/// The plan, in words.
#[derive(Clone, Debug, Serialize)]
pub struct PlanSummary {
    /// Names the sketch bits.
    pub id: String,
    /// How pairs are searched.
    pub method: &'static str,
    /// Why so, if the method was left to the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What similarity is; `None` if the distance of fingerprints decides alone.
    pub measure: Option<&'static str>,
    /// Does the search go by the measure, or by the distance alone? Otherwise nothing is known of what was missed.
    pub recall_is_known: bool,
    /// Similarity from which documents are similar; `None` if the distance of fingerprints decides alone.
    pub threshold: Option<f64>,
    /// How texts are cut.
    pub tokens: &'static str,
    /// Tokens per shingle.
    pub shingle: usize,
    /// How many stop words there are.
    pub stop_words: usize,
    /// How much features weigh.
    pub weights: &'static str,
    /// Names the content of the table that says how much, if there is one: fingerprints by another one mean other things.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// How pairs are searched.
    #[serde(flatten)]
    pub search: SearchSummary,
    /// The seed of all hash functions.
    pub seed: u64,
}

/// The part of a plan that is of one method only.
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
        /// The probability that a pair at the threshold is found; `None` if the search does not go by the measure.
        recall_at_threshold: Option<f64>,
        /// What that probability is wanted to be. Where even single values are not enough, it is not reached.
        wanted_recall: f64,
    },
    /// The features themselves.
    Features {},
    /// SimHash and Hamming distance.
    Fingerprints {
        /// Bits of a fingerprint.
        bits: u32,
        /// Bits in which two may differ.
        hamming: u32,
        /// What becomes of ties.
        tie: &'static str,
        /// The hash function that makes features of shingles.
        feature_hash: &'static str,
    },
}

impl SearchSummary {
    /// What part of the pairs at the threshold is found, and what part is wanted, where no banding reaches that: single values are what
    /// finds most.
    pub fn out_of_reach(&self) -> Option<(f64, f64)> {
        match *self {
            SearchSummary::Bands {
                num_perm,
                bands,
                rows: 1,
                recall_at_threshold: Some(reached),
                wanted_recall,
                ..
            } if bands == num_perm && reached < wanted_recall => Some((reached, wanted_recall)),
            _ => None,
        }
    }
}

impl PlanSummary {
    /// Of this plan.
    pub fn new(plan: &Plan) -> Self {
        let verified = plan.verifies();
        let search = match plan.simhash() {
            None if plan.method() == Method::Exact => SearchSummary::Features {},
            None => SearchSummary::Bands {
                num_perm: plan.num_perm(),
                scheme: plan.scheme().name(),
                bands: plan.banding().bands,
                rows: plan.banding().rows,
                recall_at_threshold: plan.recall_is_known().then(|| plan.chance_at(plan.threshold())),
                wanted_recall: plan.recall(),
            },
            Some(simhash) => SearchSummary::Fingerprints {
                bits: simhash.bits.count(),
                hamming: simhash.hamming,
                tie: simhash.tie.name(),
                feature_hash: plan.feature_hash().name(),
            },
        };
        PlanSummary {
            id: plan.id().to_string(),
            method: plan.method().name(),
            reason: None,
            measure: verified.then(|| plan.measure().name()),
            recall_is_known: !verified || plan.recall_is_known(),
            threshold: verified.then(|| plan.threshold()),
            tokens: plan.tokens().name(),
            shingle: plan.shingle(),
            stop_words: plan.stop_words().len(),
            weights: plan.weighting().name(),
            table: None,
            search,
            seed: plan.seed(),
        }
    }
}
