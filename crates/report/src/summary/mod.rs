//! Summaries: the figures that `--summary` writes, and that are printed for people.
//!
//! Each verb has a type of its own, made when all its figures are known. Its parts are shared between verbs, and flattened in
//! JSON: [`ReadSummary`], [`ScanSummary`], [`FoundSummary`], [`RecallSummary`], [`EffortSummary`]. `eval` has its own
//! in `batch`.
//!
//! `docs/formats.md` lists the keys of each verb.

mod against;
mod dedup;
mod effort;
mod found;
mod no_figures;
mod pairs;
mod plan;
mod read;
mod recall;
mod removal;
mod skips;
mod small;
mod spans;

pub use against::AgainstSummary;
pub use dedup::DedupSummary;
pub use effort::EffortSummary;
pub use found::FoundSummary;
pub use no_figures::NoFigures;
pub use pairs::PairsSummary;
pub use plan::{hashed_plan, searched_plan, weighted_plan};
pub use read::{IdsSummary, ReadSummary, ScanSummary};
pub use recall::RecallSummary;
pub use removal::{LooseCluster, RemovalSummary};
pub use skips::Skips;
pub use skips::warnings;
pub use small::{CompareSummary, FrequenciesSummary, SimilarSummary, SketchSummary, TuneSummary};
pub use spans::{CutSummary, SpansSummary};
