//! The connection to an index, and what is known of it.

use super::address::RedisAddress;
use super::candidates::least_equal;
use super::dictionaries::Dictionaries;
use super::document::RedisEncodedDocument;
use super::error::RedisError;
use super::functions::{Connection, Repeat};
use super::header::{FREQUENCIES, IDENTITY, made_with, new_header};
use super::layout::{KeyNames, describe};
use crate::error::Error;
use crate::keys::tables::Tables;
use crate::log::record::NewDocument;
use crate::new_index::NewIndex;
use ::redis::Cmd;
use lookalike::{DocumentFrequencies, Plan, Weights};
use std::collections::BTreeMap;
use std::sync::Arc;

/// An index in Redis. A copy of it shares the connection.
#[derive(Clone, Debug)]
pub struct RedisIndex {
    pub(super) connection: Connection,
    pub(super) keys: KeyNames,
    /// What no other index has, not even one that is made again under the same name.
    pub(super) identity: String,
    pub(super) plan: Arc<Plan>,
    weights: Weights,
    pub(super) tables: Arc<Tables>,
    /// See [`least_equal`].
    pub(super) least: u32,
    pub(super) dictionaries: Arc<Dictionaries>,
}

impl RedisIndex {
    /// Connects to the index at `address`, which must be there, and takes it as it is.
    ///
    /// # Errors
    /// As [`RedisIndex::connect`], and [`RedisError::NoIndex`], which leaves the server as it was.
    pub async fn open(address: &RedisAddress) -> Result<Self, RedisError> {
        let keys = KeyNames::new(address.name());
        let connection = Connection::open(address, keys.plan()).await?;
        if !exists(&connection, &keys).await? {
            let name = address.name().to_owned();
            return Err(RedisError::NoIndex { address: address.to_string(), name });
        }
        Self::connect_by(connection, keys, address, None).await
    }

    /// Connects to the index at `address`, and makes it if there is none. It must be like the `wanted` one. Without one, it is taken as it is, and
    /// a new index gets the default plan.
    ///
    /// # Errors
    /// [`RedisError`] if there is no connection, or if this program cannot use the index.
    pub async fn connect(address: &RedisAddress, wanted: Option<&NewIndex>) -> Result<Self, RedisError> {
        match wanted.map(NewIndex::check).transpose() {
            Err(Error::UnsupportedPlan) => return Err(RedisError::UnsupportedPlan),
            Err(error) => return Err(RedisError::NewIndex { reason: error.to_string() }),
            Ok(_) => {}
        }
        let keys = KeyNames::new(address.name());
        let connection = Connection::open(address, keys.plan()).await?;
        Self::connect_by(connection, keys, address, wanted).await
    }

    async fn connect_by(
        connection: Connection,
        keys: KeyNames,
        address: &RedisAddress,
        wanted: Option<&NewIndex>,
    ) -> Result<Self, RedisError> {
        connection.prepare(address).await?;
        if let Some(table) = wanted.and_then(|wanted| wanted.frequencies.as_ref())
            && !exists(&connection, &keys).await?
        {
            let mut store = ::redis::cmd("SETNX");
            store.arg(keys.frequencies(&format!("{:016x}", table.id()))).arg(table.to_bytes());
            connection.send::<i64>(&store, Repeat::Safe).await?;
        }
        let mut call = connection.function("header");
        call.arg(new_header(wanted.unwrap_or(&(&Plan::default()).into())));
        let mut header: BTreeMap<String, String> = connection.call(&call, Repeat::Safe).await?;
        let frequencies = match header.get(FREQUENCIES) {
            Some(id) => Some(frequencies(&connection, keys.frequencies(id)).await?),
            None => None,
        };
        let made = made_with(&header, frequencies, wanted, address)?;
        let weights = made.check().map_err(|error| RedisError::damaged(error.to_string()))?;
        let NewIndex { plan, stores_texts, .. } = made;
        let identity = header.remove(IDENTITY).unwrap_or_default();
        let least = least_equal(&plan);
        let tables = Arc::new(Tables::in_redis(&plan, stores_texts));
        let dictionaries = Arc::new(Dictionaries::default());
        dictionaries.load_newest(&connection, &keys).await?;
        let plan = Arc::new(plan);
        Ok(RedisIndex { connection, keys, identity, plan, weights, tables, least, dictionaries })
    }

    /// The plan by which its documents are sketched and compared.
    pub fn plan(&self) -> Arc<Plan> {
        Arc::clone(&self.plan)
    }

    /// What it was made with.
    pub fn made_with(&self) -> NewIndex {
        NewIndex::of(&self.plan, &self.tables, &self.weights)
    }

    /// The weights of features in fingerprints.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// How its documents are found, and what is stored of them.
    pub fn tables(&self) -> Arc<Tables> {
        Arc::clone(&self.tables)
    }

    /// A call of the function `name` of this index. Its arguments follow.
    pub(super) fn function(&self, name: &str) -> Cmd {
        let mut call = self.connection.function(name);
        call.arg(&self.identity).arg(describe(&self.tables));
        call
    }

    /// Encodes a document, whose sketch is made by the plan of the index. The first 256 KiB of texts train a dictionary for the next ones.
    ///
    /// # Errors
    /// [`RedisError`] if the dictionary cannot be stored.
    ///
    /// # Panics
    /// If the sketch has other lengths than the plan says.
    pub async fn encode(&self, document: &NewDocument<'_>) -> Result<RedisEncodedDocument, RedisError> {
        if self.tables.stores_texts() {
            self.dictionaries.learn(document.text, &self.connection, &self.keys).await?;
        }
        let dictionary = self.dictionaries.newest();
        Ok(RedisEncodedDocument::new(document, &self.tables, dictionary.as_deref()))
    }
}

/// Whether there is an index.
async fn exists(connection: &Connection, keys: &KeyNames) -> Result<bool, RedisError> {
    let mut exists = ::redis::cmd("EXISTS");
    exists.arg(keys.plan());
    connection.send(&exists, Repeat::Safe).await
}

/// The document frequencies that are stored at `key`.
async fn frequencies(connection: &Connection, key: String) -> Result<Arc<DocumentFrequencies>, RedisError> {
    let mut read = ::redis::cmd("GET");
    read.arg(key);
    let bytes = connection.send::<Option<Vec<u8>>>(&read, Repeat::Safe).await?;
    let table = bytes.and_then(|bytes| DocumentFrequencies::from_bytes(&bytes).ok());
    table.map(Arc::new).ok_or_else(|| RedisError::damaged("its document frequencies are gone or damaged"))
}
