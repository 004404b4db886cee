//! The quality of a result: precision and recall against ground truth, and estimates of recall without it.
//!
//! ```
//! use lookalike::cluster::UnionFind;
//! use lookalike::quality::Partition;
//!
//! let partition = |pairs: &[(u32, u32)]| {
//!     let mut clusters = UnionFind::new(4);
//!     pairs.iter().for_each(|&(a, b)| clusters.unite(a, b));
//!     Partition::new(&mut clusters)
//! };
//! let (found, truth) = (partition(&[(0, 1)]), partition(&[(0, 1), (1, 2)]));
//! assert_eq!((found.pairs(), truth.pairs(), found.pairs_in_both(&truth)), (1, 3, 1));
//! ```

pub(crate) mod agreement;
pub(crate) mod recall;

pub use agreement::{Account, Agreement, Bin, Histogram, Pair, PairSet, Partition, Scale};
pub use recall::{DocumentPairs, Recall};
