//! Large buckets: finds every similar pair of their documents without comparing all pairs.
//!
//! Documents that share a template (pages of one shop, forum footers, licences) share band keys, whether or not they
//! are similar. A *family* is a set of documents that large buckets connect. It is joined once, for all of its buckets.
//!
//! A document of a family is described by its *difference* from the family's template: the features that only one of
//! the two has. For any template T, with D(X) = X △ T, two documents differ in
//!
//! > |A △ B| = |D(A)| + |D(B)| − 2·|D(A) ∩ D(B)|
//!
//! features, and J(A, B) ≥ t exactly if |A △ B| ≤ g·(|A| + |B|), where g = (1 − t) / (1 + t). A similar pair therefore
//! shares differences:
//!
//! > 2·|D(A) ∩ D(B)| ≥ v(A) + v(B), where v(X) = |D(X)| − g·|X|
//!
//! This is a set similarity join with a known overlap, and the prefix filter of [`exact`](crate::search::exact) finds
//! its pairs. The features of the template, which all documents have, are in no difference. They are neither ordered
//! nor indexed nor visited. Documents with v(A) + v(B) ≤ 0 are similar regardless of their differences.
//!
//! Three things keep the work close to the number of similar pairs. Differences are ordered from rare to frequent. A
//! list of postings is a tree with a bound on the reach of its postings, so a document walks only to postings that may
//! be similar. For clusters, a document also skips postings that are in its own cluster already.
//!
//! Not for: sets with weights.
//!
//! No join is fast for every input. Sets may differ from each other and from every template by frequent features only.
//! For those, no algorithm is known that takes less than quadratic time (Ahle and Knudsen, "Subsets and
//! supermajorities", FOCS 2020).
//!
//! # What a large bucket costs
//!
//! Pages of one template share band keys even if they are not similar. A million of them make buckets of hundreds of
//! thousands, and their pairs are not compared one by one. `families` joins all documents that large buckets connect,
//! once, by the features in which they differ from their template. A prefix filter over these differences visits the
//! pairs that share a rare one.
//!
//! - Where each document's own words are rare, there are about as many visits as similar pairs, and fewer where
//!   clusters are wanted.
//! - Where own words come from a small vocabulary (60 of 150,000 words in each document), unrelated pairs share them
//!   too. The number of visits then grows with the square again.
//! - As in small buckets, a pair counts only if the two share a band and their signatures may reach the threshold. The
//!   size of a bucket changes the time, and never the result.
//! - Sets with weights (`--measure cosine` with other weights than `set`) and estimates of signatures have no such join.
//!   Each document is compared with all others of the bucket that are not in its cluster yet.

pub(crate) mod bounds;
mod differences;
mod family;
pub(crate) mod grouped;
mod join;
mod list;
pub(crate) mod template;

pub use grouped::Families;
pub use join::{FamilyJoin, PairCollector, Visited, WorkBlock};
