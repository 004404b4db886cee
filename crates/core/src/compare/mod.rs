//! How similar are two texts, exactly, and what do they share?

pub(crate) mod comparison;
pub(crate) mod measure;
pub(crate) mod passages;
pub(crate) mod subsequence;
pub(crate) mod uncovered;
pub(crate) mod verify;
