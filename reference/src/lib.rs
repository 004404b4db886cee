//! A readable definition of everything that Lookalike computes.
//!
//! Every bit that Lookalike writes into a signature, a band key or a report is defined here, in the order of the path
//! from text to clusters. The product must agree with these functions on every input. The files in `vectors/` are their
//! results on chosen inputs. Nothing here is made to be fast. Each function is its definition, for one document or one
//! pair at a time, and quadratic where the definition is quadratic.
//!
//! | step | module | gives |
//! |---|---|---|
//! | text → text without invisible characters | [`visible`] | `String` |
//! | text → its normal form | [`normal`] | `String` |
//! | text → its normal form without what folds take away | [`folds`] | `String` |
//! | text → tokens → token hashes | [`tokens`] | `Vec<String>`, `u64` each |
//! | token hashes → shingles → features | [`shingles`] | `u64` each |
//! | text of several sections → features | [`sections`] | `u64` each |
//! | tokens → features as other programs have them | [`feature_hash`] | `u64` each |
//! | features → signature | [`sketch`] | `num_perm` × `u32` |
//! | hashes → values of datasketch | [`permuted`] | `num_perm` × `u32` or `u64` |
//! | features → fingerprint | [`simhash`] | `u64` or `u128` |
//! | signature → band keys | [`banding`] | `bands` × `u64` |
//! | two feature sets → similarity | [`jaccard`] | `0.0..=1.0` |
//! | texts → tokens that occur earlier | [`spans`] | `bool` each |
//! | similar pairs → clusters, and which member to keep | [`clusters`] | document positions |
//!
//! All arithmetic on `u32` and `u64` is modulo 2^32 and 2^64, and is written `wrapping_…` where it may wrap.
//! A "document" in the last two modules means a position in the caller's list, in input order.

#![forbid(unsafe_code)]

pub mod banding;
pub mod clusters;
pub mod feature_hash;
pub mod folds;
pub mod jaccard;
pub mod normal;
pub mod permuted;
pub mod sections;
pub mod shingles;
pub mod simhash;
pub mod sketch;
pub mod spans;
pub mod tokens;
pub mod visible;
