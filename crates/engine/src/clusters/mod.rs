//! From candidates to verified pairs and clusters.
//!
//! A chain of pairs is right for versions of one page and wrong for pages of one template. A run cannot know which it
//! has, so a cluster with a chain is reported as loose and is not cut. People decide by its loosest pairs.
//!
//! Stars (`--cluster star`) depend on the preference: a better version that comes in may move other documents to
//! another centre. Greedy stars in the order of preference keep the documents that the policy prefers, and no two
//! similar ones. Links are found first. A star lies within the documents that they connect.
//!
//! **Clusters.** Buckets are sorted. Within a band, clusters are looked up as they were before the band, so the order
//! of buckets does not matter. The root of a cluster is its first member.

pub mod compare;
pub(crate) mod evidence;
pub mod star;

pub use self::evidence::Evidence;
