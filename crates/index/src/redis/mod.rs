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
//! Not for: comparing texts. That is for `engine`.

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
