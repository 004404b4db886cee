//! The outputs of jobs: their lists, and the third scan, which copies or annotates documents.
//!
//! `create` refuses all that can be refused, before any document is read. A complete output has no name yet: see
//! [`Unpublished`](crate::Unpublished).

mod dedup;
mod id_type;
mod kept;
mod pairs;
pub(crate) mod places;
pub(crate) mod summary_files;
pub(crate) mod unpublished;

pub(crate) use dedup::DedupOutputs;
pub(crate) use pairs::PairsOutput;
