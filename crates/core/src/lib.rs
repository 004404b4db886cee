//! Near-duplicate text detection: text in, clusters out.
//!
//! Every reported pair carries its exact similarity, and clusters are made of such pairs only. (With SimHash and no
//! verification, a pair carries the exact distance of its fingerprints instead. With `Verification::Estimate`, it carries
//! the estimate of its signatures.) The crate does no input or output and
//! starts no threads. Programs that use it do.
//!
//! All public types are `Send` and `Sync`. An [`Executor`] runs one search on many threads. The folder `examples` has a
//! program for each common task.
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

mod characters;
pub mod cluster;
pub mod compare;
pub mod comparison;
mod error;
pub mod frequent;
pub mod hash;
mod pipeline;
mod plan;
pub mod quality;
pub mod search;
mod simd;
pub mod simhash;
mod similarity;
pub mod sketch;
pub mod text;
pub mod windows;

pub use comparison::Comparison;
pub use error::{FrequenciesError, Incompatible, MissingHash, PlanError, TooFar};
pub use pipeline::Corpus;
pub use plan::{
    Bits, FeatureHash, Measure, Method, Options, Plan, PlanId, SKETCH_VERSION, Scheme, Tie, Verification,
    Weighting,
};
pub use search::{BandCandidate, Executor, HammingIndex, MinHashIndex, Neighbour, Sequential};
pub use simd::Level;
pub use simhash::{DocumentFrequencies, FeatureHashes, FeatureLevels, Fingerprint, Fingerprinter, Weights};
pub use similarity::{Estimate, Match, Score, Similarity};
pub use sketch::{Signature, Sketcher};
pub use text::Tokens;
