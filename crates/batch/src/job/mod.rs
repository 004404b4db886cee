//! The verbs. The path of `dedup` is in `dedup.rs`, to be read first; `pairs` goes the same way up to the comparison.

mod dedup;
mod gather;
mod pairs;
