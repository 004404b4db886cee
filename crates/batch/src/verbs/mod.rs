//! The verbs that read documents. `look_up` finds the texts for `compare`. The verbs `eval` and `tune` have folders of their
//! own.

pub(crate) mod compare;
pub(crate) mod dedup;
pub(crate) mod explain;
pub(crate) mod frequencies;
pub(crate) mod look_up;
pub(crate) mod pairs;
pub(crate) mod similar;
pub(crate) mod sketch;
pub(crate) mod spans;
