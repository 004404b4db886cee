//! What a stream does.

use crate::address::{Destination, Letters, Source};
use crate::fields::{MessageFields, MessageFormat};
use lookalike_seen::Canonical;
use std::net::SocketAddr;
use std::time::Duration;

/// What happens to duplicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Duplicates {
    /// They are recorded in the search engine, in the field `duplicates` of the document that they are similar to. By any policy but `First`, the field
    /// `lookalike_canonical` of it has the best of it and its duplicates.
    Canonical(Canonical),
    /// They are recorded in an index, a topic or a file of their own, beside that of the documents.
    Apart(String),
    /// They are dropped.
    Drop,
}

/// What a stream does.
#[derive(Clone, Debug)]
pub struct StreamSettings {
    /// Where messages come from.
    pub from: Source,
    /// Where documents go.
    pub to: Destination,
    /// The name of the consumer group.
    pub group: String,
    /// The form of messages.
    pub format: MessageFormat,
    /// The fields of JSON messages.
    pub fields: MessageFields,
    /// What happens to duplicates.
    pub duplicates: Duplicates,
    /// Where messages go that cannot be used. Without it, those of Kafka go to the topic `TOPIC-dead-letters`, and others are only told.
    pub dead_letters: Option<Letters>,
    /// Settings of librdkafka, such as `security.protocol`.
    pub kafka: Vec<(String, String)>,
    /// The key for the search engine, as its header `Authorization` has it.
    pub authorization: Option<String>,
    /// The time after which a document expires.
    pub ttl: Option<Duration>,
    /// Whether the stream ends at the end of the topics.
    pub ends: bool,
    /// The address of metrics and health.
    pub listen: Option<SocketAddr>,
    /// Tells the one who runs it what nobody has asked for, a sentence at a time.
    pub tell: fn(&str),
}

impl StreamSettings {
    /// The fields of documents that the stream fills in.
    pub(crate) fn taken_fields(&self) -> &'static [&'static str] {
        match (&self.to, &self.duplicates) {
            (Destination::Search(_), Duplicates::Canonical(_)) => {
                &["duplicates", "lookalike_canonical", "lookalike_expires", "lookalike_id"]
            }
            (Destination::Search(_), _) => &["lookalike_expires", "lookalike_id"],
            (Destination::Kafka(_) | Destination::File(_), _) => &[],
        }
    }
}
