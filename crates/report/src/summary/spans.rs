//! Summary of `spans`.

use super::effort::EffortSummary;
use super::no_figures::NoFigures;
use super::read::ReadSummary;
use lookalike_engine::PlanSummary;
use serde::Serialize;

/// Summary of `spans`.
#[derive(Clone, Debug, Serialize)]
pub struct SpansSummary {
    /// The documents that were read.
    #[serde(flatten)]
    pub read: ReadSummary,
    /// What was removed of them.
    #[serde(flatten)]
    pub cut: CutSummary,
    /// The least tokens of a passage.
    pub length: u64,
    /// Passages count as repeated only among documents with the same value in these fields.
    pub within: Vec<String>,
    /// The keys that this verb has no figure for.
    #[serde(flatten)]
    pub no_figures: NoFigures,
    /// Time and memory.
    #[serde(flatten)]
    pub effort: EffortSummary,
    /// How texts were cut into tokens.
    pub plan: PlanSummary,
}

/// What was removed of documents.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CutSummary {
    /// Tokens of all documents.
    pub words: u64,
    /// Passages that were removed. Each was compared, token by token, with the text that has it earlier.
    pub passages: u64,
    /// Documents that lost a passage.
    pub cut_documents: u64,
    /// Tokens of these passages.
    pub removed_words: u64,
    /// Bytes of these passages, and of the gaps that went with them.
    pub removed_bytes: u64,
    /// Documents that were kept, whole or in part.
    pub kept: u64,
    /// Documents of which too little was left.
    pub removed: u64,
}
