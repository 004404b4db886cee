//! What was decided about a message.

use serde::{Deserialize, Serialize};

/// What was decided about a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum MessageVerdict {
    /// Its document is in the index, and belongs into the search index.
    Unique,
    /// Its document is similar to another, and is not in the index.
    Duplicate {
        /// The id of the document that it is most similar to.
        of: String,
        /// The exact similarity of the two.
        similarity: f64,
    },
    /// It removes a document.
    Removed {
        /// The document that has it as a duplicate.
        recorded_on: Option<String>,
    },
    /// It cannot be used.
    Dead {
        /// The reason, for a person.
        reason: String,
    },
    /// Its document had expired before it came.
    Expired,
}

/// Characters of a reason, at most.
const MOST_REASON_CHARACTERS: usize = 300;

/// A message whose verdict is known.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Item {
    /// The id of its document, or nothing if it cannot be used.
    pub(crate) id: String,
    /// The URL of its document.
    pub(crate) url: Option<String>,
    /// How good it is as canonical document. Less is better; `None` is worst.
    pub(crate) cost: Option<f64>,
    /// A hash of its text, if duplicates are recorded.
    pub(crate) text: Option<String>,
    /// The second since 1970 from which on it is not found any more.
    pub(crate) expires: Option<u32>,
    pub(crate) verdict: MessageVerdict,
    /// Whether the destination may have its document, or duplicates of it.
    pub(crate) may_be_there: bool,
    /// The number of its document, if that is new.
    pub(crate) number: Option<u64>,
    /// Whether its document came before.
    pub(crate) is_again: bool,
}

impl Item {
    /// A message that cannot be used.
    pub(crate) fn dead(reason: String) -> Self {
        // A reason may quote a value of any length.
        let reason = match reason.char_indices().nth(MOST_REASON_CHARACTERS) {
            Some((end, _)) => format!("{}…", &reason[..end]),
            None => reason,
        };
        Item {
            id: String::new(),
            url: None,
            cost: None,
            text: None,
            expires: None,
            verdict: MessageVerdict::Dead { reason },
            may_be_there: false,
            is_again: false,
            number: None,
        }
    }
}
