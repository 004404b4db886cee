//! The two forms of Arrow IPC.

use std::collections::BTreeMap;

/// How the messages of an input stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ArrowForm {
    /// Between two marks, with a footer that lists them.
    File {
        /// Pairs of keys and values in the footer.
        metadata: BTreeMap<String, String>,
    },
    /// One behind the other. Hugging Face data sets are stored so.
    Stream,
}
