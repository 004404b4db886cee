//! The classes of programs for the Python library simhash, and an index of codes by their Hamming distance.

mod hamming;
mod value;

pub(crate) use hamming::{HammingCodes, hamming_pairs};
pub(crate) use value::{simhash_features, simhash_text};
