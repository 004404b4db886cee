//! The newest documents: their keys in memory, until they become a run.
//!
//! One thread adds documents, and others look keys up at the same time, without locks. A document is found as soon as its last key is in.

use crate::keys::key::{KEY_BITS, held};
use crate::keys::runs::{RunWriter, write_table};
use crate::life::Lives;
use bytemuck::allocation::zeroed_slice_box;
use lookalike_store::{Error, PagedSummary};
use std::ops::Range;
use std::path::Path;
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
    /// A key for each band, or none if it has no features.
    pub(crate) bands: &'k [u64],
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
    /// The tables that it has: one for each band, one for the hashes of ids, and one for the hashes of URLs.
    tables: usize,
    /// The first bits of a key that choose its chain.
    head_bits: u32,
    /// For each table and chain its newest document, counted from 1, or 0 if there is none.
    heads: Box<[AtomicU32]>,
    /// For each document and table the held bits of its key, [`HAS_KEY`], and the next document of the chain. Zero if it has no key.
    entries: Box<[AtomicU64]>,
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
    pub(crate) fn new(first: u64, tables: usize, capacity: usize) -> Self {
        assert!(capacity < HAS_KEY as usize, "an entry has the number of the next one");
        let head_bits = capacity.next_power_of_two().max(16).ilog2();
        Memtable {
            first,
            tables,
            head_bits,
            heads: zeroed_slice_box(tables << head_bits),
            entries: zeroed_slice_box(tables * capacity),
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
        let DocumentKeys { bands, id, url } = keys;
        assert!(bands.is_empty() || bands.len() + 2 == self.tables, "a key for each band");
        let (id, url) = ((self.tables - 2, id), url.map(|url| (self.tables - 1, url)));
        self.push_keys(bands.iter().copied().enumerate().chain([id]).chain(url), place, expiry);
    }

    /// Adds the next document, which has these keys in these tables.
    fn push_keys(&self, keys: impl Iterator<Item = (usize, u64)>, place: u64, expiry: u32) {
        let document = self.documents.load(Ordering::Relaxed);
        self.places[document as usize].store(place, Ordering::Relaxed);
        self.expiries[document as usize].store(expiry, Ordering::Relaxed);
        let entries = &self.entries[document as usize * self.tables..][..self.tables];
        for (table, key) in keys {
            let head = &self.heads[self.chain_of(table, key)];
            let next = u64::from(head.load(Ordering::Relaxed));
            entries[table].store(held(key) | HAS_KEY | next, Ordering::Relaxed);
            // Whoever reads the head also sees the entry.
            head.store(document + 1, Ordering::Release);
        }
        self.documents.store(document + 1, Ordering::Release);
    }

    /// A copy without the documents from number `end` on.
    pub(crate) fn up_to(&self, end: u64) -> Self {
        let copy = Memtable::new(self.first, self.tables, self.places.len());
        for number in self.first..end.min(self.range().end) {
            let document = (number - self.first) as usize;
            let entries = &self.entries[document * self.tables..][..self.tables];
            let entries = entries.iter().map(|entry| entry.load(Ordering::Relaxed)).enumerate();
            let keys = entries.filter(|(_, entry)| entry & HAS_KEY > 0);
            let keys = keys.map(|(table, entry)| (table, held(entry)));
            copy.push_keys(keys, self.place(number), self.expiry(number));
        }
        copy
    }

    /// Appends the documents from number `first` on that have one of `keys` to `found`, once for each key that they have. `keys` has a key for
    /// each table from `first_table` on.
    pub(crate) fn look_up(&self, first_table: usize, keys: &[u64], first: u64, found: &mut Vec<u64>) {
        let documents = self.documents.load(Ordering::Acquire);
        let before = u32::try_from(first.saturating_sub(self.first)).unwrap_or(u32::MAX);
        for (table, &key) in (first_table..).zip(keys) {
            let mut next = self.heads[self.chain_of(table, key)].load(Ordering::Acquire);
            // The newest come first.
            while next > before {
                let document = next - 1;
                let entry = self.entries[document as usize * self.tables + table].load(Ordering::Relaxed);
                // One that is being added has no place yet.
                if held(entry) == held(key) && document < documents {
                    found.push(self.first + u64::from(document));
                }
                next = (entry & (HAS_KEY - 1)) as u32;
            }
        }
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
        let mut writer = RunWriter::create(path, owner, self.first, range.end - range.start)?;
        let kept: Vec<u64> = range.clone().filter(|&number| !lives.is_dead(number)).collect();
        for table in 0..self.tables {
            let entry = |&number: &u64| {
                let document = (number - self.first) as usize;
                let entry = self.entries[document * self.tables + table].load(Ordering::Relaxed);
                (entry & HAS_KEY > 0).then(|| (held(entry), number))
            };
            write_table(&mut writer, kept.iter().filter_map(entry).collect())?;
        }
        writer.finish(range.map(|number| Ok(self.place(number))), lives.expiries())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::runs::Run;
    use crate::life::NEVER;
    use crate::life::extended::Extended;
    use crate::life::removed::Removed;
    use lookalike::hash::SplitMix64;
    use std::convert::Infallible;

    /// The keys of a document in three bands, some of which are shared, or none.
    fn keys(document: u64) -> Vec<u64> {
        let mut generator = SplitMix64(document);
        let count = if document % 10 == 3 { 0 } else { 3 };
        (0..count).map(|_| SplitMix64(generator.next() % 500).next()).collect()
    }

    fn id(document: u64) -> u64 {
        SplitMix64(document / 2).next()
    }

    fn push(memtable: &Memtable, document: u64, place: u64) {
        let url = document.is_multiple_of(3).then_some(id(document));
        memtable.push(DocumentKeys { bands: &keys(document), id: id(document), url }, place, NEVER);
    }

    fn filled(first: u64, documents: u64) -> Memtable {
        let memtable = Memtable::new(first, 5, documents as usize);
        (0..documents).for_each(|document| push(&memtable, document, document * 100));
        memtable
    }

    fn sorted(mut found: Vec<u64>) -> Vec<u64> {
        found.sort_unstable();
        found
    }

    #[test]
    fn a_document_is_found_by_each_of_its_keys_and_by_its_id() {
        let (first, documents) = (1 << 33, 2000);
        let memtable = filled(first, documents);
        assert_eq!(memtable.range(), first..first + documents);
        for wanted in 0..50 {
            let shares = |band: usize| {
                (0..documents).filter(move |&other| keys(other).get(band) == Some(&keys(wanted)[band]))
            };
            let mut found = Vec::new();
            memtable.look_up(0, &keys(wanted), 0, &mut found);
            let expected = (0..keys(wanted).len()).flat_map(shares).map(|other| first + other);
            assert_eq!(sorted(found), sorted(expected.collect()));
            let mut found = Vec::new();
            memtable.look_up(3, &[id(wanted)], 0, &mut found);
            assert_eq!(sorted(found), [first + wanted / 2 * 2, first + wanted / 2 * 2 + 1]);
            assert_eq!(memtable.place(first + wanted), wanted * 100);
            let (mut newer, mut found) = (Vec::new(), Vec::new());
            memtable.look_up(0, &keys(wanted), first + 1500, &mut newer);
            memtable.look_up(0, &keys(wanted), 0, &mut found);
            found.retain(|&number| number >= first + 1500);
            assert_eq!(newer, found);
        }
    }

    #[test]
    fn a_run_that_is_written_of_it_finds_the_same_without_removed_documents() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        let memtable = filled(70, 2000);
        let removed: Vec<u64> = memtable.range().filter(|number| number % 4 == 0).collect();
        let own = memtable.range().map(|number| Ok::<_, Infallible>(memtable.expiry(number)));
        let lives = Lives::new(70, own, &Removed::of(&removed), &Extended::default(), 0).unwrap();
        memtable.write_run(&path, 1, &lives).unwrap();
        let run = Run::open(&path, 1, 5).unwrap();
        assert_eq!(run.range(), memtable.range());
        for wanted in 0..200 {
            for (table, keys) in [(0, keys(wanted)), (3, vec![id(wanted)]), (4, vec![id(wanted)])] {
                let (mut expected, mut found) = (Vec::new(), Vec::new());
                memtable.look_up(table, &keys, 0, &mut expected);
                run.look_up(table, &keys, &mut found).unwrap();
                expected.retain(|number| number % 4 != 0);
                assert_eq!(sorted(found), sorted(expected));
            }
            assert_eq!(run.place(70 + wanted).unwrap(), wanted * 100);
        }
    }

    #[test]
    fn a_copy_of_the_first_documents_equals_a_memtable_of_these() {
        let (whole, first) = (filled(7, 500), filled(7, 300));
        let copy = whole.up_to(307);
        assert_eq!(copy.range(), first.range());
        for wanted in 0..500 {
            for (table, keys) in [(0, keys(wanted)), (3, vec![id(wanted)]), (4, vec![id(wanted)])] {
                let (mut expected, mut found) = (Vec::new(), Vec::new());
                first.look_up(table, &keys, 0, &mut expected);
                copy.look_up(table, &keys, 0, &mut found);
                assert_eq!(found, expected);
            }
        }
        assert_eq!(copy.place(200), first.place(200));
    }

    #[test]
    fn readers_beside_the_writer_find_whole_documents_only() {
        let memtable = Memtable::new(0, 5, 20_000);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for document in 0..20_000 {
                    push(&memtable, document, document * 100 + 1);
                }
            });
            loop {
                let seen = memtable.range().end;
                for document in (0..seen).rev().take(100) {
                    let mut found = Vec::new();
                    memtable.look_up(0, &keys(document), 0, &mut found);
                    let bands = keys(document).len();
                    assert!(found.iter().filter(|&&other| other == document).count() == bands);
                    assert!(found.iter().all(|&other| memtable.place(other) == other * 100 + 1));
                }
                if seen == 20_000 {
                    break;
                }
            }
        });
    }
}
