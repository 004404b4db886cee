//! Recall: estimated from the pairs that were found, or measured on random documents.

pub(crate) mod audit;
mod of_found;
pub(crate) mod sampled;

pub use self::audit::{AuditedPairs, RecallAudit, audit};
pub use self::sampled::choose;
