//! Summary of `pairs`.

use super::effort::EffortSummary;
use super::found::FoundSummary;
use super::no_figures::NoFigures;
use super::read::{IdsSummary, ReadSummary, ScanSummary};
use super::recall::RecallSummary;
use crate::findings::PairFindings;
use crate::returned::ReturnedPairs;
use lookalike_engine::PlanSummary;
use lookalike_engine::features::frequent::FrequentSummary;
use serde::Serialize;

/// Summary of `pairs`.
#[derive(Clone, Debug, Serialize)]
pub struct PairsSummary {
    /// The documents that were searched.
    #[serde(flatten)]
    pub read: ReadSummary,
    /// Documents without features, and records that are no documents.
    #[serde(flatten)]
    pub scan: ScanSummary,
    /// Unusual ids.
    #[serde(flatten)]
    pub ids: IdsSummary,
    /// The shingles that were left out, if the run was to leave out frequent ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frequent_shingles: Option<FrequentSummary>,
    /// Pairs, and the clusters that they connect.
    #[serde(flatten)]
    pub found: FoundSummary,
    /// The keys that this verb has no figure for.
    #[serde(flatten)]
    pub no_figures: NoFigures,
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
    pub findings: Option<PairFindings>,
    /// The pairs, if they were asked for.
    #[serde(skip)]
    pub returned: Option<ReturnedPairs>,
}
