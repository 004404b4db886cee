//! Which documents are candidates, or pairs at all?

pub(crate) mod exact;
pub(crate) mod families;
pub(crate) mod hamming;
pub(crate) mod lsh;
pub(crate) mod pair_search;
pub(crate) mod queries;
