//! Large buckets: every similar pair of their documents, without comparing all pairs.
//!
//! Documents that share a template (pages of one shop, forum footers, licences) share band keys, whether they are similar or
//! not. A *family* is a set of documents that large buckets connect. It is joined once, for all of its buckets.
//!
//! A document of a family is described by its *difference* from the family's template: the features that only one of the
//! two has. For any template T, with D(X) = X △ T, two documents differ in
//!
//! > |A △ B| = |D(A)| + |D(B)| − 2·|D(A) ∩ D(B)|
//!
//! features, and J(A, B) ≥ t exactly if |A △ B| ≤ g·(|A| + |B|), where g = (1 − t) / (1 + t). So a similar pair shares
//! differences:
//!
//! > 2·|D(A) ∩ D(B)| ≥ v(A) + v(B), where v(X) = |D(X)| − g·|X|
//!
//! That is a set similarity join with a known overlap, and the prefix filter of [`exact`](crate::search::exact) finds its pairs. The
//! features of the template, which all documents have, are in no difference: they are neither ordered, nor indexed, nor
//! visited. Documents with v(A) + v(B) ≤ 0 are similar however they differ from the template.
//!
//! Three things keep the work near the number of similar pairs. Differences are ordered from rare to frequent. A list of
//! postings is a tree that knows how far its postings reach, so that a document walks only to postings that may be similar
//! to it. And, where clusters are wanted, it does not walk to postings that are in its own cluster already.
//!
//! Not for: sets with weights.
//!
//! No join is fast for every input: for sets that differ from each other and from every template by frequent features only,
//! no algorithm is known that takes less than quadratic time (Ahle and Knudsen, "Subsets and supermajorities", FOCS 2020).

mod bounds;
mod differences;
mod family;
mod grouped;
mod join;
mod list;
mod template;

pub use grouped::Families;
pub use join::{FamilyJoin, PairCollector, Visited};
