//! The exact join: every pair of sets whose similarity reaches a threshold, none missed.
//!
//! Features are put into one order for all sets, rare ones first. Two sets that are similar must then share a feature among
//! the first few of each, their *prefixes*: an index of prefixes, asked by prefixes, finds every pair. Two more filters
//! come for nothing: a partner is not too small (*length*), and what is left of both sets behind a common feature must
//! still be enough (*position*). What remains is compared exactly.
//!
//! Three things are done differently from the papers. Frequencies are counted in arrays that features are hashed into, so
//! that there is no dictionary: any order that is the same for all sets is right, and this one only has to be nearly the
//! best. A feature that is alone in its slot is in one set only; a set whose prefix is full of those has no partner, and is
//! dropped before anything is sorted, as happens to most sets of most corpora. And prefixes are not indexed while they
//! are asked, but sorted once, so that the stretch of postings that each set will visit is known before the first
//! one is: the cost is counted ([`ExactJoin::visits`]), and the work can be cut into units that threads share.
//!
//! Not for: text, features with weights, or corpora whose features do not fit in memory; that is `lsh`.
//!
//! Sources: Chaudhuri, Ganti and Kaushik, "A primitive operator for similarity joins in data cleaning", ICDE 2006 (prefixes);
//! Bayardo, Ma and Srikant, "Scaling up all pairs similarity search", WWW 2007 (sets by size, shorter prefixes for the
//! index); Xiao, Wang, Lin and Yu, "Efficient similarity joins for near duplicate detection", WWW 2008 (position);
//! Mann, Augsten and Bouros, "An empirical evaluation of set similarity join techniques", PVLDB 9(9), 2016 (further filters
//! do not pay).

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
