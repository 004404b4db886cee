//! Near-duplicate text detection: text in, clusters out.
//!
//! Every pair that is reported carries its exact similarity (or, if a plan goes by SimHash alone, the exact distance of
//! fingerprints), and clusters are made of such pairs only. No input or output, no threads: those are the drivers'.
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
//! assert_eq!(corpus.pairs()[0].likeness.to_string(), "1.000000");
//! ```
#![deny(unsafe_code)]

mod agreement;
mod cluster;
mod comparison;
mod error;
mod exact;
mod families;
mod hamming;
mod hash;
mod lsh;
mod measure;
mod passages;
mod pipeline;
mod plan;
mod probability;
mod queries;
mod recall;
mod simd;
mod simhash;
mod similarity;
mod sketch;
mod sketches;
mod spread;
mod stars;
mod subsequence;
mod text;
mod uncovered;
mod verify;

pub use agreement::{Account, Agreement, Bin, Histogram, Pair, PairSet, Partition, Scale};
pub use cluster::{KeepPolicy, UnionFind};
pub use comparison::{Comparison, MinHash, Search, Searched, Verdict};
pub use error::{FrequenciesError, Incompatible, PlanError, TooFar};
pub use exact::{ExactJoin, Prober};
pub use families::{Asking, Families, FamilyJoin, Visited};
pub use hamming::{Code, HammingIndex, HammingJoin, HammingPair, Layout, Neighbour, Part, Task, Workspace};
pub use hash::SplitMix64;
pub use lsh::{
    Banding, Buckets, Join, Likeness, Match, Share, SignatureFilter, SketchTable, SketchView, Tally,
};
pub use measure::{Measure, Set, Verifier, cosine};
pub use passages::{Equal, Passage, Passages};
pub use pipeline::{Corpus, with_copies};
pub use plan::{Method, Options, Plan, PlanId};
pub use queries::{Counting, Queries};
pub use recall::{Found, Recall};
pub use simd::Level;
pub use simhash::{
    Bits, Codes, DocumentFrequencies, FeatureLevels, Fingerprint, FingerprintId, FingerprintTable,
    Fingerprinter, Judge, Near, SimHash, Tie, Weighting, Weights,
};
pub use similarity::Similarity;
pub use sketch::{ContentHash, Contents, FeatureHash, Scheme, Sketch, Sketcher, originals};
pub use sketches::{Compared, Drafter, Sketches};
pub use spread::{InTurn, Spread};
pub use stars::Stars;
pub use subsequence::Subsequence;
pub use text::{Located, Stretch, Tokens, stop_word_languages, stop_words};
pub use uncovered::Uncovered;
pub use verify::{Comparer, Overlap};
