//! The verbs over files, one a file.

pub(crate) mod compare;
pub(crate) mod dedup;
pub(crate) mod frequencies;
pub(crate) mod look_up;
pub(crate) mod pairs;
pub(crate) mod similar;
pub(crate) mod sketch;
