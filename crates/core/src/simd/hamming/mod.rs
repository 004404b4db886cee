//! Codes, and records side by side: what the kernels of the Hamming join work on.
//!
//! Not for: choosing the pairs to compare, which is done in `search::hamming`.

mod code;
mod group;
pub(crate) mod kernels;

pub use code::Code;
pub(crate) use group::{AgreeingCodes, CodeBuckets, CodePlace};
