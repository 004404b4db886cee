//! Recall: estimated from the pairs that were found, or measured on random documents.

pub(crate) mod audit;
pub(crate) mod estimated;
pub(crate) mod sampled;

pub use self::audit::{AuditedPairs, RecallAudit, audit};
pub use self::estimated::Estimated;
pub use self::sampled::choose;
