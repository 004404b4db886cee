//! The corpus job: from files in to deduplicated files, or a list of pairs, out.
//!
//! The inputs are read up to three times and never held: once to sketch every document, once more for the features
//! of those documents that share a band with another, and once to copy what is kept; and once more for what is lost with
//! removed documents, if they are listed. In between, memory holds
//! about 330 bytes a document and the features of the documents that are compared.
//!
//! Not for: arguments and messages; that is `cli`.
#![forbid(unsafe_code)]

mod against;
mod audit;
mod choice;
mod clock;
mod compare;
mod comparison;
mod contained;
mod decide;
mod documents;
mod error;
mod estimated;
mod evaluate;
mod features;
mod files;
mod findings;
mod frequencies;
mod frequency_table;
mod ids;
mod index;
mod job;
mod kept;
mod lines;
mod look_up;
mod lost;
mod memory;
mod monitoring;
mod names;
mod outputs;
mod places;
mod plan_summary;
mod progress;
mod reasons;
mod request;
mod rounds;
mod sampled;
mod scan;
mod search;
mod similar;
mod sketch_files;
mod sketching;
mod skipped;
mod star;
mod summary;
mod threads;
mod tune;
mod uncovered;
mod unpublished;
mod weights;
mod work;

pub use against::AgainstSummary;
pub use audit::Audit;
pub use clock::Seconds;
pub use comparison::{Compare, Compared, Pair, Text};
pub use error::Error;
pub use evaluate::{
    Accuracy, ByValue, Clustering, Evaluate, Evaluation, EvaluationSummary, ListSummary, Skips, ValueBin,
};
pub use findings::{
    Chances, ClusterExample, ClusterSizes, Findings, Likenesses, Member, PairExample, TextExample,
};
pub use frequency_table::Frequencies;
pub use index::{Index, IndexFile, IndexInfo, Verify};
pub use monitoring::{BucketSizes, Monitoring};
pub use plan_summary::{PlanSummary, SearchSummary};
pub use progress::{Interrupt, Monitor};
pub use request::{Affordable, Against, AgainstContainment, ClusterShape, Dedup, Job, Keep, Pairs};
pub use similar::Similar;
pub use sketch_files::Sketches;
pub use skipped::Skipped;
pub use summary::{LooseCluster, Summary};
pub use tune::{
    Answer, BandingResult, CorpusSummary, Experiment, Forecast, Question, Settings, ShingleSummary,
    Tolerable, Tolerance, Tune, Tuning,
};
pub use unpublished::Unpublished;
pub use work::least_memory;
