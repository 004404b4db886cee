//! The verbs over files: from files in to deduplicated files, lists and summaries out.
//!
//! Requests are plain data ([`Dedup`], [`Pairs`] and others). This crate has the verbs, their outputs and their summaries. The
//! search is in `lookalike-engine`.
//!
//! Not for: arguments and messages. They are in `cli`.
#![forbid(unsafe_code)]

mod against;
mod error;
mod evaluate;
mod files;
mod findings;
mod lines;
mod outputs;
mod request;
mod returned;
mod summary;
mod tune;
mod verbs;

pub use error::Error;
pub use evaluate::{
    Accuracy, ByValue, Clustering, Evaluate, Evaluation, EvaluationSummary, ListSummary, ValueBin,
};
pub use findings::{
    Chances, ClusterExample, ClusterSizes, ExampleMember, Findings, PairExample, PairFindings,
    RemovalExample, Scores, TextExample, shared_passages,
};
/// Types of requests and results of this crate.
pub use lookalike_engine as engine;
pub use outputs::columns::{score_column, score_column_of_removed};
pub use outputs::unpublished::Unpublished;
pub use request::{Against, Dedup, Job, ListOutput, Pairs, SettingsFile};
pub use returned::{Details, ReturnedDecisions, ReturnedPairs, ReturnedSketches, SimilarDocument};
pub use summary::{
    AgainstSummary, CompareSummary, DedupSummary, EffortSummary, FoundSummary, FrequenciesSummary,
    IdsSummary, LooseCluster, NoFigures, PairsSummary, ReadSummary, RecallSummary, RemovalSummary,
    ScanSummary, SimilarSummary, SketchSummary, Skips, TuneSummary,
};
pub use tune::{
    BandingResult, CorpusSummary, Experiment, Forecast, Question, SettingForecasts, ShingleSummary,
    Tolerable, Tolerance, Tune, TuneAnswer, Tuning,
};
pub use verbs::compare::{Compare, ComparedTexts, NamedText, TwoTexts};
pub use verbs::frequencies::CountFrequencies;
pub use verbs::similar::Similar;
pub use verbs::sketch::WriteSketches;
