//! From a topic to a search engine: duplicates are recognised before they are indexed.
//!
//! A [`Stream`] reads messages from Kafka or from a file. [`lookalike_seen`] decides which documents are new. Those go to Elasticsearch, to OpenSearch, to another
//! topic or to a file, and duplicates are recorded on the documents that they are similar to.
//!
//! # What is promised
//!
//! Each message is read at least once, and has its effect once. The offsets that have arrived at the destination are in the same frame of the index as the
//! decisions, with the verdicts of duplicates that have not arrived. After a kill, messages that come again get the same verdicts, and the
//! destination takes a document once for each id. Offsets are committed to Kafka after that.
//!
//! Not for: the command line and signals, which are for `cli`. Questions of other programs, which are for `service`.
#![forbid(unsafe_code)]

mod address;
mod backoff;
mod batch;
mod dead_letters;
mod documents;
mod error;
mod fields;
mod health;
mod kafka;
mod marks;
mod metrics;
mod picker;
mod progress;
mod run;
mod settings;
mod sink;
mod source;
mod status;
mod time;
mod verdict;

pub use address::{AddressError, Destination, KafkaAddress, Letters, SearchAddress, Source};
pub use error::Error;
pub use fields::{MessageFields, MessageFormat};
pub use lookalike_seen::Canonical;
pub use lookalike_seen::redis::RedisAddress;
pub use run::{Stream, StreamTotals};
pub use settings::{Duplicates, StreamSettings};

#[cfg(test)]
mod tests;
