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
//! - All keys have one hash tag. An index is therefore on one node of a cluster.
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
mod layout;
mod reading;
mod status;

pub use address::RedisAddress;
pub use candidates::{AddMode, Candidates, Compared, Step};
pub use changes::{Removal, Swept};
pub use document::{EncodedDocument, RedisDocument};
pub use error::RedisError;
pub use status::{RedisCounts, RedisDurability};

use crate::index::check_plan;
use crate::log::record::NewDocument;
use dictionaries::Dictionaries;
use functions::{Connection, Repeat};
use layout::KeyNames;
use lookalike::Plan;
use std::sync::Arc;

/// An index in Redis. A copy of it shares the connection.
#[derive(Clone, Debug)]
pub struct RedisIndex {
    connection: Connection,
    keys: KeyNames,
    plan: Arc<Plan>,
    /// The least number of equal bytes of two signatures that are compared.
    least: u32,
    dictionaries: Arc<Dictionaries>,
}

impl RedisIndex {
    /// Connects to the index at `address`, and makes it if there is none. It must have this `plan`. Without one, it is taken as it is, and
    /// a new index gets the default plan.
    ///
    /// # Errors
    /// [`RedisError`] if there is no connection, or if this program cannot use the index.
    pub async fn connect(address: &RedisAddress, plan: Option<&Plan>) -> Result<Self, RedisError> {
        let default = Plan::default();
        let new = plan.unwrap_or(&default);
        check_plan(new).map_err(|_| RedisError::UnsupportedPlan)?;
        let keys = KeyNames::new(address.name());
        let connection = Connection::open(address, keys.plan()).await?;
        let mut call = connection.function("header");
        call.arg(&header::new_header(new)[..]);
        let header = connection.call(&call, Repeat::Safe).await?;
        let plan = header::plan_of(&header, plan, address)?;
        let values = 0..=plan.num_perm() as u32;
        // No signature passes if none does.
        let least =
            values.into_iter().find(|&equal| plan.signature_filter().passes(equal)).unwrap_or(u32::MAX);
        let dictionaries = Arc::new(Dictionaries::default());
        dictionaries.load_newest(&connection, &keys).await?;
        Ok(RedisIndex { connection, keys, plan: Arc::new(plan), least, dictionaries })
    }

    /// The plan by which its documents are sketched and compared.
    pub fn plan(&self) -> Arc<Plan> {
        Arc::clone(&self.plan)
    }

    fn bands(&self) -> usize {
        self.plan.banding().bands
    }

    /// Encodes a document, whose sketch is made by the plan of the index. The first 256 KiB of texts train a dictionary for the next ones.
    ///
    /// # Errors
    /// [`RedisError`] if the dictionary cannot be stored.
    ///
    /// # Panics
    /// If the sketch has other lengths than the plan says.
    pub async fn encode(&self, document: &NewDocument<'_>) -> Result<EncodedDocument, RedisError> {
        self.dictionaries.learn(document.text, &self.connection, &self.keys).await?;
        let dictionary = self.dictionaries.newest();
        Ok(EncodedDocument::new(document, &self.plan, dictionary.as_deref()))
    }
}

#[cfg(test)]
mod tests;
