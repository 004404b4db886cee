//! The exact join: every pair of sets whose similarity reaches a threshold, none missed.
//!
//! All sets order their features in the same way, rare ones first. Two similar sets then share a feature among the
//! first few of each, their *prefixes*. An index of prefixes, probed by prefixes, finds every pair. Two more filters
//! cost nothing: a partner is not too small (*length*), and enough features of both sets come after a common one
//! (*position*). The remaining candidates are compared exactly.
//!
//! Three things differ from the papers.
//!
//! Frequencies are counted in arrays into which features are hashed, without a dictionary. Any order that is the same
//! for all sets is correct, and this one only has to be nearly the best.
//!
//! A feature that is alone in its slot is in one set only. A set whose prefix has only such features has no partner,
//! and is dropped before anything is sorted. In most corpora, this happens to most sets.
//!
//! Prefixes are not indexed while they are probed, but sorted once. The postings that each set will visit are therefore
//! known in advance. The cost can be counted ([`ExactJoin::visits`]), and the work can be cut into blocks for threads.
//!
//! Not for: text, features with weights, or corpora whose features do not fit in memory. Those need `lsh`.
//!
//! Sources:
//!
//! - Chaudhuri, Ganti and Kaushik, "A primitive operator for similarity joins in data cleaning", ICDE 2006 (prefixes).
//! - Bayardo, Ma and Srikant, "Scaling up all pairs similarity search", WWW 2007 (sets by size, shorter prefixes for
//!   the index).
//! - Xiao, Wang, Lin and Yu, "Efficient similarity joins for near duplicate detection", WWW 2008 (position).
//! - Mann, Augsten and Bouros, "An empirical evaluation of set similarity join techniques", PVLDB 9(9), 2016 (further
//!   filters do not pay).
//!
//! It orders features from rare to frequent. Two sets with a similarity of 0.8 share a feature among the first fifth of
//! the larger one. A set whose first fifth is in no other set is done. Any order is correct if it is the same for all
//! sets, so frequencies may be counted in hashed slots.
//!
//! Only a part of all features is counted, chosen by hash: twice the size of the prefixes. All features must be in
//! memory. Threads come from the driver, which can also stop the work (`Executor`).

mod bounds;
pub(crate) mod counts;
pub(crate) mod index;
mod join;
pub(crate) mod order;
mod prober;
mod sets;

pub use join::ExactJoin;
pub use prober::Prober;
pub use sets::GroupedSets;
