//! Summary of `dedup`, `index build` and `index add`.

use super::against::AgainstSummary;
use super::effort::EffortSummary;
use super::found::FoundSummary;
use super::read::{IdsSummary, ReadSummary, ScanSummary};
use super::recall::RecallSummary;
use super::removal::RemovalSummary;
use crate::findings::Findings;
use crate::returned::ReturnedDecisions;
use lookalike_engine::PlanSummary;
use lookalike_engine::features::frequent::FrequentSummary;
use serde::Serialize;

/// Summary of `dedup`, and of `index build` and `index add`.
#[derive(Clone, Debug, Serialize)]
pub struct DedupSummary {
    /// The documents that were deduplicated.
    #[serde(flatten)]
    pub read: ReadSummary,
    /// Documents without features, and records that are no documents.
    #[serde(flatten)]
    pub scan: ScanSummary,
    /// Unusual ids.
    #[serde(flatten)]
    pub ids: IdsSummary,
    /// Documents without a number in the field of `--keep max:FIELD` or `min:FIELD`, which are kept last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_number: Option<u64>,
    /// The documents of `--against`, if it was given.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub against: Option<AgainstSummary>,
    /// Documents of the index, if the inputs were added to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexed: Option<u64>,
    /// The shingles that were left out, if the run was to leave out frequent ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frequent_shingles: Option<FrequentSummary>,
    /// Pairs and clusters.
    #[serde(flatten)]
    pub found: FoundSummary,
    /// Documents kept and removed.
    #[serde(flatten)]
    pub removal: RemovalSummary,
    /// The share of the pairs that was found.
    #[serde(flatten)]
    pub recall: RecallSummary,
    /// Time and memory.
    #[serde(flatten)]
    pub effort: EffortSummary,
    /// Has the run put something on disk, because memory did not suffice?
    pub spilled: bool,
    /// The fields of `--within`. Only documents with the same values are compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub within: Vec<String>,
    /// The plan: what is similar, and how it was searched.
    pub plan: PlanSummary,
    /// The findings of the report page, if one was asked for.
    #[serde(skip)]
    pub findings: Option<Findings>,
    /// The decisions, if they were asked for.
    #[serde(skip)]
    pub decisions: Option<ReturnedDecisions>,
}
