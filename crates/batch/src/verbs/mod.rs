//! The verbs over files that read documents (`evaluate` and `tune` have folders of their own); `look_up` finds the texts for `compare`.

pub(crate) mod compare;
pub(crate) mod dedup;
pub(crate) mod frequencies;
pub(crate) mod look_up;
pub(crate) mod pairs;
pub(crate) mod similar;
pub(crate) mod sketch;
