//! Codes, and records side by side: what the kernels of the Hamming join work on.
//!
//! Not for: choosing what is compared; that is `search::hamming`.

mod code;
mod group;
pub(crate) mod kernels;

pub use code::Code;
pub(crate) use group::{Groups, Partition, Record};
