//! Near-duplicate text detection: text in, clusters out.
//!
//! Every reported pair carries its exact similarity, and clusters are made of such pairs only. (With SimHash and no
//! verification, a pair carries the exact distance of its fingerprints instead.) The crate does no input or output and
//! starts no threads. Programs that use it do.
//!
//! ```
//! use lookalike::{Corpus, Plan};
//!
//! let plan = Plan::default();
//! let mut corpus = Corpus::new(&plan);
//! corpus.push("It was the best of times, it was the worst of times");
//! corpus.push("Call me Ishmael. Some years ago, never mind how long precisely");
//! corpus.push("It was the BEST of times: it was the worst of times!");
//! assert_eq!(corpus.clusters(), [[0, 2]]);
//! assert_eq!(corpus.pairs()[0].score.to_string(), "1.000000");
//! ```
#![deny(unsafe_code)]

pub mod cluster;
pub mod compare;
mod error;
mod executor;
pub mod hash;
mod pipeline;
mod plan;
pub mod quality;
pub mod search;
mod simd;
pub mod simhash;
mod similarity;
pub mod sketch;
mod sketches;
pub mod text;

pub use compare::{Comparison, Measure};
pub use error::{FrequenciesError, Incompatible, PlanError, TooFar};
pub use executor::{Executor, Sequential};
pub use pipeline::Corpus;
pub use plan::{Method, Options, Plan, PlanId, SKETCH_VERSION};
pub use search::{Candidate, HammingIndex, Match, MinHashIndex, Neighbour, Score};
pub use simd::Level;
pub use simhash::{
    Bits, DocumentFrequencies, FeatureLevels, Fingerprint, Fingerprinter, Tie, Weighting, Weights,
};
pub use similarity::Similarity;
pub use sketch::{FeatureHash, Scheme, Signature, Sketcher};
pub use text::Tokens;
