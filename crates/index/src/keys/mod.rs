//! The keys of documents: in memory while they are new, then in sorted runs.

pub(crate) mod key;
pub(crate) mod memtable;
pub(crate) mod runs;
pub(crate) mod tables;
