//! Recall: estimated from the pairs that were found, or measured on random documents.

pub mod audit;
pub mod estimated;
pub mod sampled;
