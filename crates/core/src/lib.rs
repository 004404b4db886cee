//! Near-duplicate text detection: text in, clusters out.
//!
//! Every pair that is reported carries its exact Jaccard similarity over shingles, and clusters are made of such
//! pairs only. No input or output, no threads: those are the drivers'.
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
//! assert_eq!(corpus.pairs()[0].jaccard.to_string(), "1.000000");
//! ```
#![deny(unsafe_code)]

mod cluster;
mod error;
mod hamming;
mod hash;
mod lsh;
mod pipeline;
mod plan;
mod simd;
mod similarity;
mod sketch;
mod text;
mod verify;

pub use cluster::{KeepPolicy, UnionFind};
pub use error::{PlanError, TooFar};
pub use hamming::{Code, HammingIndex, HammingJoin, HammingPair, Layout, Neighbour, Part, Task, Workspace};
pub use lsh::{Banding, Buckets, Join, Match, SketchTable, Tally};
pub use pipeline::{Corpus, with_copies};
pub use plan::{Options, Plan, PlanId};
pub use simd::Level;
pub use similarity::Similarity;
pub use sketch::{ContentHash, Scheme, Sketch, Sketcher};
pub use text::Tokens;
pub use verify::{Comparer, Overlap};
