//! Summaries of verbs that look for no pairs among the documents they read.

use super::effort::EffortSummary;
use super::no_figures::NoFigures;
use super::read::{ReadSummary, ScanSummary};
use crate::returned::{ReturnedSketches, SimilarDocument};
use lookalike::DocumentFrequencies;
use lookalike_engine::PlanSummary;
use serde::Serialize;
use std::sync::Arc;

/// Summary of `similar`.
#[derive(Clone, Debug, Serialize)]
pub struct SimilarSummary {
    /// The documents that were compared with the text.
    #[serde(flatten)]
    pub read: ReadSummary,
    /// Documents that were listed. Each is a pair with the text, which is why the key is `pairs`.
    #[serde(rename = "pairs")]
    pub listed: u64,
    /// The keys that this verb has no figure for.
    #[serde(flatten)]
    pub no_figures: NoFigures,
    /// Time and memory.
    #[serde(flatten)]
    pub effort: EffortSummary,
    /// How similarity was measured.
    pub plan: PlanSummary,
    /// The documents, if they were asked for.
    #[serde(skip)]
    pub returned: Option<Vec<SimilarDocument>>,
}

/// Summary of `sketch`.
#[derive(Clone, Debug, Serialize)]
pub struct SketchSummary {
    /// The documents that were sketched.
    #[serde(flatten)]
    pub read: ReadSummary,
    /// Documents without any feature, whose sketch is null.
    pub empty: u64,
    /// The keys that this verb has no figure for.
    #[serde(flatten)]
    pub no_figures: NoFigures,
    /// Time and memory.
    #[serde(flatten)]
    pub effort: EffortSummary,
    /// How sketches were made. Sketches of different plans cannot be compared.
    pub plan: PlanSummary,
    /// The sketches, if they were asked for.
    #[serde(skip)]
    pub returned: Option<Arc<ReturnedSketches>>,
}

/// Summary of `frequencies`.
#[derive(Clone, Debug, Serialize)]
pub struct FrequenciesSummary {
    /// The documents whose features were counted.
    #[serde(flatten)]
    pub read: ReadSummary,
    /// The keys that this verb has no figure for.
    #[serde(flatten)]
    pub no_figures: NoFigures,
    /// Time and memory.
    #[serde(flatten)]
    pub effort: EffortSummary,
    /// How features were made.
    pub plan: PlanSummary,
    /// The table.
    #[serde(skip)]
    pub table: Arc<DocumentFrequencies>,
}

/// Summary of `compare --in`.
#[derive(Clone, Debug, Serialize)]
pub struct CompareSummary {
    /// The documents that were read to find the two texts.
    #[serde(flatten)]
    pub read: ReadSummary,
    /// The keys that this verb has no figure for.
    #[serde(flatten)]
    pub no_figures: NoFigures,
    /// Time and memory.
    #[serde(flatten)]
    pub effort: EffortSummary,
    /// How the texts were compared.
    pub plan: PlanSummary,
}

/// Summary of `tune`.
#[derive(Clone, Debug, Serialize)]
pub struct TuneSummary {
    /// The documents of the corpus.
    #[serde(flatten)]
    pub read: ReadSummary,
    /// Documents without features, and records that are no documents.
    #[serde(flatten)]
    pub scan: ScanSummary,
    /// The keys that this verb has no figure for.
    #[serde(flatten)]
    pub no_figures: NoFigures,
    /// Time and memory.
    #[serde(flatten)]
    pub effort: EffortSummary,
    /// The plan of the options that were given.
    pub plan: PlanSummary,
}
