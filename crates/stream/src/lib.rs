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
//! # How a stream has its effect once
//!
//! ```text
//! source ──→ prepare ──→ decide ──→ arrive ──→ destination
//! (thread)   (threads)   (seen)        │
//!                ↑                     └──→ dead letters
//!            progress ←── what has arrived: with the next decisions in the index, then to Kafka
//! ```
//!
//! **Decisions and progress are one write.** A batch is submitted with a note, which the sequencer calls with its
//! decisions. The note returns the progress, which is the payload of the same frame of the log. It has the offsets that
//! have arrived, and the verdicts that the index does not have itself: duplicates and dead letters. If the frame cannot
//! be written, the verdicts are forgotten before anything else is decided. The batches are decided again in their
//! order.
//!
//! **A message that comes again changes nothing.** A document that is in the index is recognised by its id. Until a
//! duplicate has arrived, its verdict is in the progress. Afterwards it has a mark: a document with its id and without
//! a text. So the same duplicate is recorded on the same document, although the index may have a more similar one by
//! then. A destination creates a document once for each id.
//!
//! **In Redis there are no notes.** Several streams decide at the same time, and a message may be decided again by
//! another process. All that was decided stands under the id of a document: the document itself, or the mark of a
//! duplicate, which is there before the duplicate is recorded anywhere. A removal takes a document out of Redis with
//! its decision, so that nothing is called a duplicate of it. It takes a mark out after the duplicate has gone from the
//! destination, and the next batch waits for that. Kafka alone knows what has arrived.
//!
//! **Batches arrive in their order.** A request to a search engine has the actions of several batches. If an action
//! must be sent again, later ones on the same document are sent again behind it (`search`). Sixteen batches at most are
//! decided and have not arrived. When they wait, the source waits, and still asks Kafka so that its group keeps it.
//!
//! **Tests.** `stream/tests` runs whole streams on a search engine that refuses as it is told to.
//! `bench/failures/stream.py` kills the stream, a real Kafka, a real search engine and Redis.
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
