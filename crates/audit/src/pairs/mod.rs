//! All pairs of texts that share enough, and their scores.
//!
//! The search is exhaustive: [`PartnerFinder`](super::shingles::PartnerFinder) leaves out no text that could be reported. All
//! figures are counted.

mod pair;
mod scores;
mod search;

pub(super) use pair::PairCounts;
pub use pair::{Band, PagePair, PairClass, SequenceRatio};
pub(super) use search::{ComparedPages, TextPair, search};
