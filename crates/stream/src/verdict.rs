//! What was decided about a message.

use lookalike::Score;
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
        /// The similarity of the two, or what their sketches say in its place.
        #[serde(flatten)]
        score: Score,
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

/// What a message says of its document.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MessageFacts {
    /// The id of its document, or nothing if it cannot be used.
    pub(crate) id: String,
    /// The URL of its document.
    pub(crate) url: Option<String>,
    /// How good it is as canonical document. Less is better; `None` is worst.
    pub(crate) cost: Option<f64>,
    /// A hash of its text, if it has one.
    pub(crate) text_hash: Option<String>,
    /// The second since 1970 from which on it is not found any more.
    pub(crate) expires: Option<u32>,
}

/// A message that was read, and is to be decided.
#[derive(Debug)]
pub(crate) struct PreparedItem {
    pub(crate) facts: MessageFacts,
    pub(crate) verdict: PreparedVerdict,
}

/// What is known of the verdict about a message before the index is asked.
#[derive(Debug)]
pub(crate) enum PreparedVerdict {
    /// All of it.
    Known(MessageVerdict),
    /// Nothing: the index decides about its text.
    Text,
    /// It removes its document.
    Removal {
        /// The document that has it as a duplicate, if that is known.
        recorded_on: Option<String>,
    },
}

/// A message whose verdict is known. It is not changed any more.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DecidedItem {
    pub(crate) facts: MessageFacts,
    pub(crate) verdict: MessageVerdict,
    pub(crate) presence: Presence,
}

/// Whether the destination may have a document that is not a duplicate, or duplicates of it. Nobody asks for other messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Presence {
    /// It has neither, as far as is known.
    #[default]
    Absent,
    /// It has neither: the document is new, and has this number in the index.
    New(u64),
    /// Another process may have recorded duplicates of it.
    Shared,
    /// The document came before.
    Again,
}

impl DecidedItem {
    /// The number of its document, if that is new.
    pub(crate) fn number(&self) -> Option<u64> {
        match self.presence {
            Presence::New(number) => Some(number),
            Presence::Absent | Presence::Shared | Presence::Again => None,
        }
    }
}

impl PreparedVerdict {
    /// Whether the index decides.
    pub(crate) fn is_undecided(&self) -> bool {
        !matches!(self, PreparedVerdict::Known(_))
    }
}

impl PreparedItem {
    /// A message that cannot be used.
    pub(crate) fn dead(reason: &str) -> Self {
        // A reason may quote a value of any length.
        let reason = match reason.char_indices().nth(MOST_REASON_CHARACTERS) {
            Some((end, _)) => format!("{}…", &reason[..end]),
            None => reason.to_owned(),
        };
        let verdict = PreparedVerdict::Known(MessageVerdict::Dead { reason });
        PreparedItem { facts: MessageFacts::default(), verdict }
    }
}
