//! Figures of an index, and how durable its answers are.

use super::error::RedisError;
use super::functions::Repeat;
use super::header::IDENTITY;
use super::index::RedisIndex;
use ::redis::Value;
use std::collections::BTreeMap;

/// The figures of an index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RedisCounts {
    /// The number of documents that were ever added, which is the number that the next one gets.
    pub documents: u64,
    /// The number of documents that were removed.
    pub removed: u64,
    /// The number of links. Each has put a document, or a whole cluster, into another cluster.
    pub links: u64,
    /// The number of changes.
    pub sequence: u64,
}

/// How durable answers are: an answer is given when Redis has it, and Redis decides when that is on the disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RedisDurability {
    /// Whether Redis writes changes to a file: `appendonly`.
    pub appendonly: Option<bool>,
    /// When the file is on the disk: `always`, `everysec` or `no`.
    pub appendfsync: Option<String>,
    /// What Redis does without memory. With anything but `noeviction`, it takes keys out of the index.
    pub maxmemory_policy: Option<String>,
}

impl RedisDurability {
    /// Whether an answer rests on what is on the disk: nothing is lost when the server is killed.
    pub fn is_synced(&self) -> bool {
        self.appendonly == Some(true) && self.appendfsync.as_deref() == Some("always")
    }

    /// Whether Redis may remove parts of the index on its own.
    pub fn may_evict(&self) -> bool {
        self.maxmemory_policy.as_deref().is_some_and(|policy| policy != "noeviction")
    }
}

impl RedisIndex {
    /// The figures of the index.
    ///
    /// # Errors
    /// [`RedisError`] if there is no answer.
    pub async fn counts(&self) -> Result<RedisCounts, RedisError> {
        let mut read = ::redis::cmd("HGETALL");
        read.arg(self.keys.counters());
        let counters: BTreeMap<String, u64> = self.connection.send(&read, Repeat::Safe).await?;
        let counter = |name: &str| counters.get(name).copied().unwrap_or(0);
        Ok(RedisCounts {
            documents: counter("documents"),
            removed: counter("removed"),
            links: counter("links"),
            sequence: counter("sequence"),
        })
    }

    /// Checks that the index is there, and that the server takes changes.
    ///
    /// # Errors
    /// [`RedisError::Gone`] if the index was deleted or made again, [`RedisError::Full`] and [`RedisError::Refused`] if the server refuses changes.
    pub async fn check(&self) -> Result<(), RedisError> {
        let mut read = ::redis::cmd("HGET");
        read.arg(self.keys.plan()).arg(IDENTITY);
        let found: Option<String> = self.connection.send(&read, Repeat::Safe).await?;
        if found.as_ref() != Some(&self.identity) {
            return Err(RedisError::Gone);
        }
        // It would make an index that is not there, so a server that refuses changes refuses it. It changes nothing: the index is there, and
        // there is no new header.
        let _: Value = self.connection.call(&self.connection.function("header"), Repeat::Safe).await?;
        Ok(())
    }

    /// How durable its answers are. A server that does not tell its settings leaves parts unknown.
    ///
    /// # Errors
    /// [`RedisError`] if there is no answer.
    pub async fn durability(&self) -> Result<RedisDurability, RedisError> {
        let mut read = ::redis::cmd("CONFIG");
        read.arg("GET").arg("appendonly").arg("appendfsync").arg("maxmemory-policy");
        let settings: BTreeMap<String, String> = match self.connection.send(&read, Repeat::Safe).await {
            // Servers of others often forbid it.
            Err(RedisError::Refused { .. }) => BTreeMap::new(),
            settings => settings?,
        };
        let setting = |name: &str| settings.get(name).cloned();
        Ok(RedisDurability {
            appendonly: setting("appendonly").map(|value| value == "yes"),
            appendfsync: setting("appendfsync"),
            maxmemory_policy: setting("maxmemory-policy"),
        })
    }
}
