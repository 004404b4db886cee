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

pub(crate) mod bounds;
mod differences;
mod family;
pub(crate) mod grouped;
mod join;
mod list;
pub(crate) mod template;

pub use grouped::Families;
pub use join::{FamilyJoin, PairCollector, Visited, WorkBlock};
