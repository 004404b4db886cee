//! An index in Redis, which several processes read and change at once.
//!
//! It answers what an index in a folder answers, in another way. All of it is in Redis: `layout` specifies the keys. Each change is one
//! function, which Redis runs as one step. Texts are compared by the client, because functions cannot do it.
//!
//! A client adds a document in rounds. [`RedisIndex::try_add`] adds it if no document shares a band key with it. Otherwise it returns
//! the candidates, and the client compares them. It then calls the function again, with the numbers of those that it has compared. The
//! function adds the document if no other has come in between. So no document is added while a similar one is there, and nobody
//! waits for a lock.
//!
//! # Limits
//!
//! - All keys have one hash tag. An index is therefore on one node of a cluster, and its address names this node.
//! - An answer is as durable as Redis is: with `appendfsync everysec`, a crash of the server loses a second of changes.
//! - An index has 4,294,967,295 documents at most, with those that were removed.
//! - A key that very many documents share is a long value, which each of them copies when it is added.
//!
//! # How it works
//!
//! ```text
//! client: sketch ──→ function `add` in Redis ──→ added, or an answer about the id
//!              ↑                │
//!              │                └── candidates ──→ client: compare ──→ similar: duplicate
//!              └────────────── refuted ─────────────────┘
//! ```
//!
//! **One function is one step.** Redis runs a function without any other request in between. `add` looks up the id and
//! the band keys. If no document may be similar, it adds the text. Otherwise it changes nothing and returns the
//! candidates with their texts. Candidates with other signatures, and expired ones, are left out.
//!
//! **Texts are compared by the client.** It calls the function again with the numbers of the documents that it has
//! compared. Documents that came in between are returned in their turn. So the text is added only if it was compared
//! with all documents that are there at this moment. No client waits for another, and a client that dies leaves nothing
//! behind.
//!
//! **Documents have the bytes of the log.** A document in Redis is the body of its record behind a short head, which
//! tells the function where the parts are. The functions know nothing else of it. The first 256 KiB of texts train a
//! dictionary, which is stored beside them (`dictionaries`).
//!
//! **Tables grow by linear hashing.** Redis stores a hash in few bytes while it has at most some hundred fields. An
//! addition splits one bucket when there are more than 64 documents a bucket. Keys therefore take the same bytes in an
//! index of ten thousand documents and of ten million (`layout`).
//!
//! **Answers rest on Redis.** An answer is given when Redis has made the change. `appendfsync` says when it is on the
//! disk. A change whose answer is lost is an error, and it is safe to make it again: the id is there then, with the
//! same text.
//!
//! **An index has one identity.** Every call names it. A service that was connected before the index was deleted, or
//! made again, gets an error. Its dictionary would make texts that nobody else can read.
//!
//! **Tests.** `seen/redis/tests` replays histories of 16 threads and 4 connections in the model that the index in a
//! folder is tested with. It sends the same stream to both and compares every answer. Servers are real, and one is
//! killed.
//!
//! Not for: comparing texts. That is for `seen`.

mod address;
mod candidates;
mod changes;
mod dictionaries;
mod document;
mod error;
mod functions;
mod header;
mod index;
mod layout;
mod reading;
mod status;

pub use address::RedisAddress;
pub use candidates::{AddMode, AddStep, ComparedDocuments, RedisCandidates};
pub use changes::{Extension, RedisRemoval, Swept};
pub use document::{RedisDocument, RedisEncodedDocument};
pub use error::RedisError;
pub use index::RedisIndex;
pub use layout::CHUNK_DOCUMENTS;
pub use status::{RedisCounts, RedisDurability};

#[cfg(test)]
mod tests;
