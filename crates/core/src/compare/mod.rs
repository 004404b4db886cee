//! Exact comparison of texts: how similar they are and what they share.
//!
//! ```
//! use lookalike::compare::Comparison;
//! use lookalike::{Level, Plan, Weights};
//!
//! let (left, right) = ("one two three four five six", "one two three four five six seven");
//! let comparison = Comparison::new(&Plan::default(), &Weights::Set, Level::detect(), left, right);
//! // Two shingles of five words, three of the other, two in both.
//! assert_eq!(comparison.shingles.common, 2);
//! assert_eq!(comparison.shingles.jaccard().to_string(), "0.666667");
//! ```

pub(crate) mod comparison;
pub(crate) mod measure;
pub(crate) mod passages;
pub(crate) mod subsequence;
pub(crate) mod uncovered;
pub(crate) mod verify;

pub use comparison::{Comparison, MinHash, Search, Searched, Verdict};
pub use measure::{HeldSet, Measure, Set, Verifier, cosine};
pub use passages::{Equal, Passage, Passages};
pub use subsequence::Subsequence;
pub use uncovered::Uncovered;
pub use verify::{Comparer, Overlap};
