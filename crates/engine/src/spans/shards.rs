//! Tables from hashes to places that all threads fill.

use crate::error::Error;
use crate::work::Budget;
use lookalike::windows::PlaceTable;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

pub(super) const SHARDS: usize = 256;

/// Entries that a thread collects before it locks the shards.
const BATCH: usize = 1 << 15;

/// How many entries ahead of its use an entry is fetched into the cache.
const AHEAD: usize = 8;

/// A table in parts that are locked one by one.
pub(super) struct Shards {
    tables: Vec<Mutex<PlaceTable>>,
    bytes: AtomicU64,
    /// The most bytes, and what takes them.
    most: u64,
    what: &'static str,
}

/// A table that is full.
#[derive(Default)]
pub(super) struct Places(Vec<PlaceTable>);

/// Entries for a [`Shards`], which are put into it from time to time.
pub(super) struct EntryBatch<T> {
    entries: Vec<(u64, T)>,
}

pub(super) fn shard(key: u64) -> usize {
    // Another product than that of `PlaceTable`, so that a shard has keys for all of its places.
    (key.wrapping_mul(0xd134_2543_de82_ef95) >> 56) as usize
}

impl Shards {
    /// With so many values for a key. `what` takes the memory, if there is too little of it.
    pub(super) fn new(values: usize, budget: Budget, what: &'static str) -> Self {
        let tables = (0..SHARDS).map(|_| Mutex::new(PlaceTable::new(values))).collect();
        Shards { tables, bytes: AtomicU64::new(0), most: budget.tables(), what }
    }

    /// Puts the entries into the tables, in any order.
    pub(super) fn put<T: Copy>(
        &self,
        pending: &mut EntryBatch<T>,
        put: impl Fn(&mut PlaceTable, u64, T),
    ) -> Result<(), Error> {
        pending.entries.sort_unstable_by_key(|(key, _)| shard(*key));
        for entries in pending.entries.chunk_by(|a, b| shard(a.0) == shard(b.0)) {
            let mut table = self.tables[shard(entries[0].0)].lock().unwrap_or_else(PoisonError::into_inner);
            let before = table.bytes();
            for (index, &(key, value)) in entries.iter().enumerate() {
                if let Some((later, _)) = entries.get(index + AHEAD) {
                    table.fetch(*later);
                }
                put(&mut table, key, value);
            }
            self.bytes.fetch_add((table.bytes() - before) as u64, Ordering::Relaxed);
        }
        pending.entries.clear();
        let needed = self.bytes.load(Ordering::Relaxed);
        match needed > self.most {
            true => Err(Error::TooMuchToHold { what: self.what, needed, left: self.most }),
            false => Ok(()),
        }
    }

    /// Counts memory that is held beside the tables.
    pub(super) fn hold(&self, bytes: usize) {
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// The full table.
    pub(super) fn finish(self) -> Places {
        let tables = self.tables.into_iter();
        Places(tables.map(|table| table.into_inner().unwrap_or_else(PoisonError::into_inner)).collect())
    }
}

impl Places {
    /// The values of `key`, if the table has it.
    pub(super) fn get(&self, key: u64) -> Option<&[u64]> {
        self.0.get(shard(key))?.get(key)
    }

    /// Fetches the values of `key` into the cache, to be read soon.
    pub(super) fn fetch(&self, key: u64) {
        if let Some(table) = self.0.get(shard(key)) {
            table.fetch(key);
        }
    }

    /// Calls `visit` with the values of each key, if the table has it.
    pub(super) fn each(&self, keys: &[u64], mut visit: impl FnMut(u64, Option<&[u64]>)) {
        keys.iter().take(AHEAD).for_each(|&key| self.fetch(key));
        for (index, &key) in keys.iter().enumerate() {
            if let Some(&later) = keys.get(index + AHEAD) {
                self.fetch(later);
            }
            visit(key, self.get(key));
        }
    }

    /// Removes the entries whose values are not `wanted`.
    pub(super) fn retain(&mut self, wanted: impl Fn(&[u64]) -> bool + Sync) {
        self.0.par_iter_mut().for_each(|table| table.retain(&wanted));
    }
}

impl<T> Default for EntryBatch<T> {
    fn default() -> Self {
        EntryBatch { entries: Vec::new() }
    }
}

impl<T> EntryBatch<T> {
    pub(super) fn push(&mut self, key: u64, value: T) {
        self.entries.push((key, value));
    }

    /// Whether there are enough for the tables to be locked.
    pub(super) fn is_full(&self) -> bool {
        self.entries.len() >= BATCH
    }
}
