//! The sketches and indexes of the Python library datasketch: the same values bit by bit, and the same answers.
//!
//! Keys are objects of Python, and stay in the binding. Here a key is a number: a *slot* of an [`Lsh`], which is free
//! again when its key is removed, or an *entry* of an [`LshForest`], which counts from 0 on.
//!
//! - A [`PermutedSketch`] is a MinHash: a scheme, a seed and values. [`TextSketcher`] makes the values of a text.
//! - An [`Lsh`] finds the slots that share a band with a sketch. An [`LshForest`] finds the entries with the longest
//!   common prefixes.
//! - [`bands_for_threshold`], [`bands_for_containment`] and [`partitions()`] compute the numbers of an index.
//!
//! Rounding is part of the answer: of two bandings that hardly differ, datasketch takes the one whose error is less in
//! the last bits. So formulas, sums and integrals have the order of operations of datasketch, numpy and scipy.
//!
//! Not for: new programs, which a [`Plan`](lookalike::Plan) serves faster and with a known recall.
#![forbid(unsafe_code)]

mod bands;
mod error;
mod forest;
mod hashing;
mod lsh;
mod optimum;
#[cfg(test)]
mod oracle_tests;
mod partitions;
mod permutations;
mod quadrature;
mod scheme;
mod sketch;
mod sums;
mod texts;

pub use error::Error;
pub use forest::{LshForest, StoredForest};
pub use hashing::element_hash;
pub use lsh::{CandidatePair, Lsh, SlotSignatures};
pub use optimum::{ErrorWeights, bands_for_containment, bands_for_threshold};
pub use partitions::partitions;
pub use scheme::{scheme_name, scheme_named};
pub use sketch::PermutedSketch;
pub use texts::TextSketcher;
