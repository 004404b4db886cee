//! All pairs of texts that share enough, and their scores.
//!
//! The search is exhaustive: [`Partners`](super::shingles::Partners) leaves out no text that could be reported. All
//! figures are counted.

mod pair;
mod scores;
mod search;

pub(super) use pair::PairCounts;
pub use pair::{Band, Class, Pair, SequenceRatio};
pub(super) use search::{Compared, TextPair, search};
