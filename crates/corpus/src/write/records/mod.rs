//! The bytes and rows of kept records, by format.

pub(super) mod annotation;
pub(super) mod archive;
mod edited;
pub(super) mod lines;
pub(super) mod mode;
pub(super) mod quote;
#[cfg(feature = "parquet")]
pub(super) mod rows;
#[cfg(not(feature = "parquet"))]
#[path = "rows/absent.rs"]
pub(super) mod rows;
