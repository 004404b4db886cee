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

mod cluster;
mod compare;
mod error;
mod executor;
mod hash;
mod pipeline;
mod plan;
mod quality;
mod search;
mod simd;
mod simhash;
mod similarity;
mod sketch;
mod sketches;

mod text;

pub use cluster::stars::Stars;
pub use cluster::{KeepPolicy, UnionFind};
pub use compare::comparison::{Comparison, MinHash, Search, Searched, Verdict};
pub use compare::measure::{Held, Measure, Set, Verifier, cosine};
pub use compare::passages::{Equal, Passage, Passages};
pub use compare::subsequence::Subsequence;
pub use compare::uncovered::Uncovered;
pub use compare::verify::{Comparer, Overlap};
pub use error::{FrequenciesError, Incompatible, PlanError, TooFar};
pub use executor::{Executor, Sequential};
pub use hash::SplitMix64;
pub use pipeline::{Corpus, with_copies};
pub use plan::{Method, Options, Plan, PlanId, SKETCH_VERSION};
pub use quality::agreement::{Account, Agreement, Bin, Histogram, Pair, PairSet, Partition, Scale};
pub use quality::recall::{Found, Recall};
pub use search::exact::{ExactJoin, GroupedSets, Prober};
pub use search::families::{Asking, Families, FamilyJoin, Visited};
pub use search::hamming::{
    Code, HammingIndex, HammingJoin, HammingPair, Layout, Neighbour, Part, Task, Workspace,
};
pub use search::lsh::{
    Banding, Buckets, Candidate, Join, Likeness, Match, MinHashIndex, Share, SignatureFilter, SketchTable,
    SketchView, Tally,
};
pub use search::pair_search::{PairSearch, PairSearchWorker};
pub use search::queries::{Counting, Queries};
pub use simd::Level;
pub use simhash::{
    Bits, Codes, DocumentFrequencies, FeatureLevels, Fingerprint, FingerprintTable, Fingerprinter, Judge,
    Near, SimHash, Tie, Weighting, Weights,
};
pub use similarity::Similarity;
pub use sketch::{
    ContentHash, Contents, DocumentGroups, FeatureHash, Group, Scheme, Signature, Sketch, Sketcher, originals,
};
pub use sketches::{Compared, Drafter, Sketches};

pub use text::{Located, Stretch, Tokens, stop_word_languages, stop_words};
