//! The outputs of jobs: the lists, and the third scan, which copies or annotates documents.
//!
//! `create` refuses all that can be refused, before any document is read. A complete output has no name yet: see
//! [`Unpublished`](crate::Unpublished).

pub(crate) mod columns;
mod context;
mod dedup;
mod kept;
mod lists;
mod pairs;
pub(crate) mod places;
pub(crate) mod summary_files;
pub(crate) mod unpublished;

pub(crate) use columns::{cell, column};
pub(crate) use context::OutputContext;
pub(crate) use dedup::DedupOutputs;
pub(crate) use pairs::PairsOutput;
