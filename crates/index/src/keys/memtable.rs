//! The newest documents: their keys in memory, until they become a run.
//!
//! One thread adds documents, and others look keys up at the same time, without locks. A document is found as soon as its last key is in.

use crate::keys::key::{KEY_BITS, held};
use crate::keys::runs::{RunWriter, write_table};
use crate::keys::tables::{NearPart, Tables};
use crate::life::Lives;
use bytemuck::allocation::zeroed_slice_box;
use lookalike_store::{Error, PagedSummary};
use std::convert::Infallible;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Documents in a memtable, at most. With 21 bands it takes 288 bytes for each, 75 MB when it is full.
pub(crate) const MEMTABLE_DOCUMENTS: usize = 1 << 18;

/// Documents of a frame of the log, at most.
pub(crate) const FRAME_DOCUMENTS: usize = 4096;

/// Documents of a memtable from which on it is made a run. It still has room for a frame.
pub(crate) const FULL_DOCUMENTS: usize = MEMTABLE_DOCUMENTS - FRAME_DOCUMENTS;

/// The keys by which a document is found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DocumentKeys<'k> {
    /// The keys of its sketch, or none if it has no features.
    pub(crate) sketch: &'k [u64],
    /// The hash of its id.
    pub(crate) id: u64,
    /// The hash of its URL, if it has one.
    pub(crate) url: Option<u64>,
}

/// The bit of an entry that says that the document has a key in the table.
const HAS_KEY: u64 = 1 << (63 - KEY_BITS);

/// The keys and places of consecutive documents.
#[derive(Debug)]
pub(crate) struct Memtable {
    /// The number of its first document in the whole index.
    first: u64,
    tables: Arc<Tables>,
    /// The first bits of a key that choose its chain.
    head_bits: u32,
    /// For each table and chain its newest document, counted from 1, or 0 if there is none.
    heads: Box<[AtomicU32]>,
    /// For each document and table the held bits of its key, [`HAS_KEY`], and the next document of the chain. Zero if it has no key.
    entries: Box<[AtomicU64]>,
    /// For each document the whole keys of its sketch, if they are looked up by their distance. Otherwise there are none.
    near_keys: Box<[AtomicU64]>,
    /// The place of each document in the log.
    places: Box<[AtomicU64]>,
    /// The second at which each document expires.
    expiries: Box<[AtomicU32]>,
    /// The number of documents.
    documents: AtomicU32,
}

impl Memtable {
    /// An empty one for so many documents. Its memory is taken from the system as it fills.
    ///
    /// # Panics
    /// If it is for more than 2²⁷ documents.
    pub(crate) fn new(first: u64, tables: Arc<Tables>, capacity: usize) -> Self {
        assert!(capacity < HAS_KEY as usize, "an entry has the number of the next one");
        let head_bits = capacity.next_power_of_two().max(16).ilog2();
        let near_keys = tables.parts().map_or(0, <[NearPart]>::len);
        Memtable {
            first,
            head_bits,
            heads: zeroed_slice_box(tables.count() << head_bits),
            entries: zeroed_slice_box(tables.count() * capacity),
            near_keys: zeroed_slice_box(near_keys * capacity),
            tables,
            places: zeroed_slice_box(capacity),
            expiries: zeroed_slice_box(capacity),
            documents: AtomicU32::new(0),
        }
    }

    /// The numbers of its documents in the whole index.
    pub(crate) fn range(&self) -> Range<u64> {
        self.first..self.first + u64::from(self.documents.load(Ordering::Acquire))
    }

    /// Whether it should be made a run.
    pub(crate) fn is_full(&self) -> bool {
        self.documents.load(Ordering::Relaxed) as usize >= FULL_DOCUMENTS
    }

    fn chain_of(&self, table: usize, key: u64) -> usize {
        table << self.head_bits | (key >> (64 - self.head_bits)) as usize
    }

    /// Adds the next document. Only one thread may call this.
    ///
    /// # Panics
    /// If it is full, or if there is another number of keys.
    pub(crate) fn push(&self, keys: DocumentKeys<'_>, place: u64, expiry: u32) {
        let DocumentKeys { sketch, id, url } = keys;
        assert!(sketch.is_empty() || sketch.len() == self.tables.keys(), "a key for each table");
        let (id, url) = ((self.tables.ids(), id), url.map(|url| (self.tables.urls(), url)));
        self.push_keys(sketch.iter().copied().enumerate().chain([id]).chain(url), place, expiry);
    }

    /// Adds the next document, which has these keys in these tables.
    fn push_keys(&self, keys: impl Iterator<Item = (usize, u64)>, place: u64, expiry: u32) {
        let document = self.documents.load(Ordering::Relaxed);
        self.places[document as usize].store(place, Ordering::Relaxed);
        self.expiries[document as usize].store(expiry, Ordering::Relaxed);
        let entries = self.entries_of(document as usize);
        for (table, key) in keys {
            if let Some(near_key) = self.near_key(document as usize, table) {
                near_key.store(key, Ordering::Relaxed);
            }
            let head = &self.heads[self.chain_of(table, key)];
            let next = u64::from(head.load(Ordering::Relaxed));
            entries[table].store(held(key) | HAS_KEY | next, Ordering::Relaxed);
            // Whoever reads the head also sees the entry.
            head.store(document + 1, Ordering::Release);
        }
        self.documents.store(document + 1, Ordering::Release);
    }

    fn entries_of(&self, document: usize) -> &[AtomicU64] {
        &self.entries[document * self.tables.count()..][..self.tables.count()]
    }

    /// The whole key of a document in a table that is looked up by distance.
    fn near_key(&self, document: usize, table: usize) -> Option<&AtomicU64> {
        let keys = self.tables.keys();
        let has_whole = !self.near_keys.is_empty() && table < keys;
        has_whole.then(|| &self.near_keys[document * keys + table])
    }

    /// As many bits of a key as are known, or `None` if the document has no key in this table.
    fn key(&self, document: usize, table: usize) -> Option<u64> {
        let entry = self.entries_of(document)[table].load(Ordering::Relaxed);
        let whole = self.near_key(document, table).map(|key| key.load(Ordering::Relaxed));
        (entry & HAS_KEY > 0).then(|| whole.unwrap_or(held(entry)))
    }

    /// A copy without the documents from number `end` on.
    pub(crate) fn up_to(&self, end: u64) -> Self {
        let copy = Memtable::new(self.first, Arc::clone(&self.tables), self.places.len());
        for number in self.first..end.min(self.range().end) {
            let document = (number - self.first) as usize;
            let keys = (0..self.tables.count()).filter_map(|table| Some((table, self.key(document, table)?)));
            copy.push_keys(keys, self.place(number), self.expiry(number));
        }
        copy
    }

    /// Appends the documents from number `first` on that have one of `keys` to `found`, once for each key that they have. `keys` has a key for
    /// each table from `first_table` on.
    pub(crate) fn look_up(&self, first_table: usize, keys: &[u64], first: u64, found: &mut Vec<u64>) {
        for (table, &key) in (first_table..).zip(keys) {
            let has_key = |_, entry| held(entry) == held(key);
            self.walk(self.chain_of(table, key), table, first, has_key, found);
        }
    }

    /// Appends the documents of a chain of `table` from number `first` on that are `wanted`, by their place here and their entry.
    fn walk(
        &self,
        chain: usize,
        table: usize,
        first: u64,
        wanted: impl Fn(usize, u64) -> bool,
        found: &mut Vec<u64>,
    ) {
        let documents = self.documents.load(Ordering::Acquire);
        let before = u32::try_from(first.saturating_sub(self.first)).unwrap_or(u32::MAX);
        let mut next = self.heads[chain].load(Ordering::Acquire);
        // The newest come first.
        while next > before {
            let document = next - 1;
            let entry = self.entries_of(document as usize)[table].load(Ordering::Relaxed);
            // One that is being added has no place yet.
            if document < documents && wanted(document as usize, entry) {
                found.push(self.first + u64::from(document));
            }
            next = (entry & (HAS_KEY - 1)) as u32;
        }
    }

    /// Appends the documents from number `first` on whose key in `table`, that of `part`, is near the `key` of a text.
    pub(crate) fn look_near(
        &self,
        table: usize,
        part: &NearPart,
        key: u64,
        first: u64,
        found: &mut Vec<u64>,
    ) {
        let is_near = |document, _| self.key(document, table).is_some_and(|other| part.is_near(other, key));
        let look = |prefix: u64, bits: u32| {
            let chain = (table << self.head_bits) + ((prefix as usize) << (self.head_bits - bits));
            for chain in chain..chain + (1 << (self.head_bits - bits)) {
                self.walk(chain, table, first, is_near, found);
            }
            Ok::<_, Infallible>(())
        };
        part.probes(key, self.head_bits, look).unwrap_or_else(|never| match never {});
    }

    /// The place in the log of the document with this number, which must be in [`Memtable::range`].
    pub(crate) fn place(&self, number: u64) -> u64 {
        self.places[(number - self.first) as usize].load(Ordering::Relaxed)
    }

    /// The second at which the document with this number expires, which must be in [`Memtable::range`].
    pub(crate) fn expiry(&self, number: u64) -> u32 {
        self.expiries[(number - self.first) as usize].load(Ordering::Relaxed)
    }

    /// Writes its documents as a run at `path`. Dead ones have no entries in it. `lives` is of the same documents.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub(crate) fn write_run(&self, path: &Path, owner: u64, lives: &Lives) -> Result<PagedSummary, Error> {
        let range = self.range();
        let documents = range.end - range.start;
        let mut writer = RunWriter::create(path, owner, &self.tables.held_bits(), self.first, documents)?;
        let kept: Vec<u64> = range.clone().filter(|&number| !lives.is_dead(number)).collect();
        for table in 0..self.tables.count() {
            let entry = |&number: &u64| {
                Some((self.tables.held(table, self.key((number - self.first) as usize, table)?), number))
            };
            write_table(&mut writer, kept.iter().filter_map(entry).collect())?;
        }
        writer.finish(range.map(|number| Ok(self.place(number))), lives.expiries())
    }
}

#[cfg(test)]
mod tests;
