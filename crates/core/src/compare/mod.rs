//! Exact comparison of texts: how similar they are and what they share.
//!
//! ```
//! use lookalike::compare::Comparer;
//! use lookalike::Level;
//!
//! let mut comparer = Comparer::with_level(Level::detect());
//! comparer.hold(&[1, 2, 3, 4]);
//! let overlap = comparer.overlap(&[3, 4, 5]);
//! assert_eq!((overlap.common, overlap.jaccard().to_string()), (2, "0.400000".to_owned()));
//! ```

pub(crate) mod measure;
pub(crate) mod passages;
pub(crate) mod subsequence;
pub(crate) mod uncovered;
pub(crate) mod verify;

pub use crate::plan::Measure;
pub use measure::{HeldSet, Set, Verifier, cosine};
pub use passages::{Equal, Passage, Passages};
pub use subsequence::{HeldSequence, Subsequence};
pub use uncovered::Uncovered;
pub use verify::{Comparer, Overlap};
