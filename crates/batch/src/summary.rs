//! What a job says of itself when it is done.

use lookalike::{Match, Plan};
use serde::Serialize;
use std::collections::BTreeMap;

/// The figures of a finished job; the same for people and, as JSON, for programs.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Documents read.
    pub documents: u64,
    /// Size of the input files, as they are stored.
    pub bytes: u64,
    /// Records that could not be read.
    pub skipped: u64,
    /// The first of these, with file, line and reason.
    pub skipped_examples: Vec<Skipped>,
    /// Documents without any token: they are never duplicates.
    pub empty: u64,
    /// Ids that more than one document carries; `None` if ids were not read.
    pub repeated_ids: Option<u64>,
    /// Files in walked folders that were passed over because their format is unknown.
    pub ignored_files: u64,
    /// Pairs that share a band and were looked at.
    pub candidates: u64,
    /// Pairs found and verified. `dedup` looks only for those that connect clusters.
    pub pairs: u64,
    /// Buckets so large that their documents were compared with leaders only.
    pub large_buckets: u64,
    /// Clusters of two or more.
    pub clusters: u64,
    /// Members of the largest cluster.
    pub largest_cluster: u64,
    /// Documents kept.
    pub kept: u64,
    /// Documents removed.
    pub removed: u64,
    /// Share of the pairs at or above the threshold that were found, estimated.
    pub recall_estimate: f64,
    /// Wall time of every stage.
    pub seconds: Seconds,
    /// The most memory the process has held; `None` where the system does not tell.
    pub peak_memory_bytes: Option<u64>,
    /// What was done.
    pub plan: PlanSummary,
}

/// A record that was skipped.
#[derive(Clone, Debug, Serialize)]
pub struct Skipped {
    /// File and line, or the file.
    pub place: String,
    /// What is wrong with it.
    pub problem: String,
}

/// Seconds of wall time, by stage; `total` too.
pub type Seconds = BTreeMap<&'static str, f64>;

/// The plan, in words.
#[derive(Clone, Debug, Serialize)]
pub struct PlanSummary {
    /// Names the sketch bits.
    pub id: String,
    /// How pairs are searched.
    pub method: &'static str,
    /// Jaccard similarity from which documents are alike.
    pub threshold: f64,
    /// How texts are cut.
    pub tokens: &'static str,
    /// Tokens per shingle.
    pub shingle: usize,
    /// Values per signature.
    pub num_perm: usize,
    /// How signatures are made.
    pub scheme: &'static str,
    /// Bands per signature.
    pub bands: usize,
    /// Values per band.
    pub rows: usize,
    /// The probability that a pair at the threshold is found.
    pub recall_at_threshold: f64,
    /// The seed of all hash functions.
    pub seed: u64,
}

impl PlanSummary {
    pub(crate) fn new(plan: &Plan) -> Self {
        PlanSummary {
            id: plan.id().to_string(),
            method: "minhash",
            threshold: plan.threshold(),
            tokens: plan.tokens().name(),
            shingle: plan.shingle(),
            num_perm: plan.num_perm(),
            scheme: plan.scheme().name(),
            bands: plan.banding().bands,
            rows: plan.banding().rows,
            recall_at_threshold: plan.banding().probability(plan.threshold()),
            seed: plan.seed(),
        }
    }
}

/// Which share of all pairs the found ones are, if each stands for as many as its chance to be found says; the
/// banding's chance at the threshold if none was found.
///
/// Source: Horvitz and Thompson, "A generalization of sampling without replacement from a finite universe", 1952.
pub(crate) fn recall_estimate(plan: &Plan, found: &[Match]) -> f64 {
    if found.is_empty() {
        return plan.banding().probability(plan.threshold());
    }
    let all: f64 = found.iter().map(|pair| 1.0 / plan.banding().probability(pair.jaccard.value())).sum();
    found.len() as f64 / all
}
