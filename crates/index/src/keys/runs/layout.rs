//! The bytes of a run.
//!
//! A run is a [`PagedFile`]. Its data are the tables one after the other, the places, and the outline. Numbers are little-endian.
//!
//! A **table** has the entries of all documents that have a key, ascending by key and then by number. The first `directory_bits` bits of
//! the key choose a *bucket*, and an entry holds the bytes that follow them, then the number of the document, counted from the
//! first one of the run. Together they have the bits of the key that an index holds: see [`Tables::held_bits`]. The last entry is followed by eight zero bytes, and by the directory: for each bucket the place of its first entry,
//! and at the end the number of entries, in `number_bytes` bytes each.
//!
//! The **places** are in blocks of 64 documents: eight bytes for the place of the first one, and for each of the 63 others the bytes from
//! there on, in `place_bytes` bytes. The last block is filled up with zeros.
//!
//! The **expiries** are four bytes for each document: the second since 1970 at which it expires, or 2³²−1 if it never does. A run whose
//! documents never expire has none.
//!
//! The **outline** has eight bytes for each of: the first document, the number of documents, `directory_bits`, the bytes of a key of the first table in an
//! entry, `number_bytes`, `place_bytes`, the byte at which the places start, the byte at which the expiries start, or 0 if there are none. Then for each table the byte at which it starts, and its entries.

use crate::keys::tables::Tables;
use lookalike_store::{Error, PagedFile};

/// Documents in a block of places.
pub(super) const BLOCK_DOCUMENTS: usize = 64;

/// Documents for each bucket of a directory, at least. Eight entries of five bytes seldom touch more than one line of the cache, and the
/// directory then takes less than half a byte for each entry.
const BUCKET_DOCUMENTS: u64 = 8;

/// Numbers of the outline before those of tables.
const FIELDS: usize = 8;

/// What is where in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outline {
    /// The number of the first document in the whole index.
    pub(super) first: u64,
    /// The number of documents.
    pub(super) documents: u64,
    /// Bits of a key that each table holds.
    held_bits: Vec<u32>,
    /// Bits of a key that choose the bucket.
    pub(super) directory_bits: u32,
    /// Bytes of the number of a document in an entry.
    pub(super) number_bytes: usize,
    /// Bytes of a place in a block.
    pub(super) place_bytes: usize,
    /// The byte at which the places start.
    pub(super) places: usize,
    /// The byte at which the expiries start, if there are any.
    pub(super) expiries: Option<usize>,
    pub(super) tables: Vec<KeyRunTable>,
}

/// A table of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KeyRunTable {
    /// The byte at which its entries start.
    pub(super) start: usize,
    /// The number of its entries.
    pub(super) entries: usize,
    /// The byte at which its directory starts.
    pub(super) directory: usize,
    /// Bits of a key that it holds.
    key_bits: u32,
    /// Bytes of a key in an entry.
    rest_bytes: usize,
}

impl Outline {
    /// The outline of a run of so many documents, without tables and places. Its tables hold so many bits of a key.
    pub(super) fn new(held_bits: &[u32], first: u64, documents: u64) -> Self {
        let directory_bits = (documents / BUCKET_DOCUMENTS).max(16).ilog2().min(32);
        let number_bytes = (64 - documents.leading_zeros()).div_ceil(8).max(1) as usize;
        let (place_bytes, places, expiries, tables) = (0, 0, None, Vec::new());
        Outline {
            first,
            documents,
            held_bits: held_bits.to_vec(),
            directory_bits,
            number_bytes,
            place_bytes,
            places,
            expiries,
            tables,
        }
    }

    /// Bits of a key that each table holds.
    pub(super) fn held_bits(&self) -> &[u32] {
        &self.held_bits
    }

    /// Bytes of a key of this table in an entry. No bit is lost, also not in a small run that becomes a part of a large one.
    fn rest_bytes(&self, table: usize) -> usize {
        self.held_bits[table].saturating_sub(self.directory_bits).div_ceil(8).max(1) as usize
    }

    pub(super) fn entry_bytes(&self, table: &KeyRunTable) -> usize {
        table.rest_bytes + self.number_bytes
    }

    pub(super) fn block_bytes(&self) -> usize {
        8 + (BLOCK_DOCUMENTS - 1) * self.place_bytes
    }

    pub(super) fn buckets(&self) -> usize {
        1 << self.directory_bits
    }

    /// The bucket of `key`.
    pub(super) fn bucket_of(&self, key: u64) -> usize {
        (key >> (64 - self.directory_bits)) as usize
    }

    /// The held bits of `key` that are in an entry.
    pub(super) fn rest_of(&self, table: &KeyRunTable, key: u64) -> u64 {
        let held = key & u64::MAX << (64 - table.key_bits);
        held << self.directory_bits >> (64 - 8 * table.rest_bytes)
    }

    /// The entry of the document with this number in the whole index.
    pub(super) fn entry(&self, table: &KeyRunTable, key: u64, number: u64) -> [u8; 16] {
        let mut entry = [0; 16];
        entry[..8].copy_from_slice(&self.rest_of(table, key).to_le_bytes());
        entry[table.rest_bytes..][..8].copy_from_slice(&(number - self.first).to_le_bytes());
        entry
    }

    /// The bits of a key that are in an entry, which starts here.
    pub(super) fn rest_in(table: &KeyRunTable, entry: &[u8]) -> u64 {
        first_bytes(entry, table.rest_bytes)
    }

    /// The number in the whole index of the document of an entry, which starts here.
    pub(super) fn number_in(&self, table: &KeyRunTable, entry: &[u8]) -> u64 {
        self.first + first_bytes(&entry[table.rest_bytes..], self.number_bytes)
    }

    /// The held bits of the key of an entry in `bucket`.
    pub(super) fn key_in(&self, table: &KeyRunTable, bucket: usize, entry: &[u8]) -> u64 {
        let rest = Self::rest_in(table, entry) << (64 - 8 * table.rest_bytes) >> self.directory_bits;
        (bucket as u64) << (64 - self.directory_bits) | rest
    }

    /// The next table, whose entries start at byte `start`.
    pub(super) fn next_table(&self, start: usize, entries: usize) -> KeyRunTable {
        let number = self.tables.len();
        let (key_bits, rest_bytes) = (self.held_bits[number], self.rest_bytes(number));
        let directory = start + entries * (rest_bytes + self.number_bytes) + 8;
        KeyRunTable { start, entries, directory, key_bits, rest_bytes }
    }

    /// The bytes of an outline with so many tables.
    fn length(tables: usize) -> usize {
        8 * (FIELDS + 2 * tables)
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let fields = [
            self.first,
            self.documents,
            self.directory_bits.into(),
            self.rest_bytes(0) as u64,
            self.number_bytes as u64,
            self.place_bytes as u64,
            self.places as u64,
            self.expiries.unwrap_or(0) as u64,
        ];
        let tables = self.tables.iter().flat_map(|table| [table.start as u64, table.entries as u64]);
        fields.into_iter().chain(tables).flat_map(u64::to_le_bytes).collect()
    }

    /// Reads the outline of `file`, which must have these `tables`, and checks that its parts are where they can be.
    pub(super) fn read(file: &PagedFile, tables: &Tables) -> Result<Self, Error> {
        let end = file.data_end();
        let start = end.saturating_sub(Self::length(tables.count()));
        let numbers: Vec<u64> = file
            .bytes(start..end)?
            .chunks_exact(8)
            .map(|bytes| bytes.try_into().map_or(0, u64::from_le_bytes))
            .collect();
        let damaged = || file.damaged(start, "its outline is that of another run");
        let (fields, of_tables) = numbers.split_at(FIELDS);
        let [first, documents, directory_bits, rest_bytes, number_bytes, place_bytes, places, expiries] =
            *fields
        else {
            return Err(damaged());
        };
        let mut outline = Outline::new(&tables.held_bits(), first, documents);
        let expected =
            [outline.directory_bits.into(), outline.rest_bytes(0) as u64, outline.number_bytes as u64];
        if [directory_bits, rest_bytes, number_bytes] != expected || !(1..=8).contains(&place_bytes) {
            return Err(damaged());
        }
        outline.place_bytes = place_bytes as usize;
        let mut at = None;
        for table in of_tables.chunks_exact(2) {
            let (table_start, entries) = (table[0] as usize, table[1] as usize);
            if table[1] > documents || at.is_some_and(|at| at != table_start) {
                return Err(damaged());
            }
            let table = outline.next_table(table_start, entries);
            at = Some(table.directory + outline.number_bytes * (outline.buckets() + 1));
            outline.tables.push(table);
        }
        outline.places = places as usize;
        let blocks = (documents as usize).div_ceil(BLOCK_DOCUMENTS);
        let places_end =
            blocks.checked_mul(outline.block_bytes()).and_then(|b| b.checked_add(outline.places));
        outline.expiries = (expiries > 0).then_some(expiries as usize);
        let expiries_end = outline.expiries.map(|at| at.checked_add(4 * documents as usize));
        if at.is_some_and(|at| at != outline.places)
            || outline.expiries.is_some_and(|at| Some(at) != places_end)
            || expiries_end.unwrap_or(places_end) != Some(start)
        {
            return Err(damaged());
        }
        Ok(outline)
    }
}

/// The number in the first `count` of `bytes`, of which there are eight at least.
fn first_bytes(bytes: &[u8], count: usize) -> u64 {
    let all = bytes[..8].try_into().map_or(0, u64::from_le_bytes);
    all & u64::MAX >> (64 - 8 * count)
}
