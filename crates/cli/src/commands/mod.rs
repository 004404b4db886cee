//! One file per verb.

pub(crate) mod completions;
pub(crate) mod dedup;
pub(crate) mod pairs;
