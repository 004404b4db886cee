//! Locality-sensitive hashing: from band keys to the pairs worth comparing.
//!
//! Two documents are candidates if they share the key of a band. Not for: deciding; that is `verify`.

mod banding;

pub use banding::Banding;
