//! How much of what is similar was found: estimated from what was found, or measured on random documents.

pub mod audit;
pub mod estimated;
pub mod sampled;
