//! The verbs over files: from files in to deduplicated files, lists and summaries out.
//!
//! Requests are plain data ([`Dedup`], [`Pairs`] and others). This crate has the verbs and their outputs. The search is in
//! `lookalike-engine`, and the forms of results are in `lookalike-report`.
//!
//! Not for: arguments and messages. They are in `cli`.
#![forbid(unsafe_code)]

mod against;
mod error;
mod evaluate;
mod files;
mod frequent;
mod lines;
mod outputs;
mod request;
mod size;
mod tune;
mod verbs;

pub use error::Error;
pub use evaluate::{
    Accuracy, ByValue, Clustering, Evaluate, Evaluation, EvaluationSummary, ListSummary, ValueBin,
};
/// Types of requests and results of this crate.
pub use lookalike_engine as engine;
pub use outputs::unpublished::Unpublished;
pub use request::{Against, Dedup, Job, ListOutput, Pairs, SettingsFile};
pub use size::{memory_size, record_size};
pub use tune::{
    BandingResult, CorpusSummary, Experiment, Forecast, Question, SettingForecasts, ShingleSummary,
    Tolerable, Tolerance, Tune, TuneAnswer, Tuning,
};
pub use verbs::compare::{Compare, TwoTexts};
pub use verbs::dedup::explain::ExplainedDecisions;
pub use verbs::explain::ExplainFingerprints;
pub use verbs::frequencies::CountFrequencies;
pub use verbs::similar::Similar;
pub use verbs::sketch::WriteSketches;
pub use verbs::spans::CutSpans;
