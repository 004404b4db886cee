//! Sorted runs: which documents have a key of a sketch, or an id.
//!
//! A run holds the keys of consecutive documents in *tables*: those of [`Tables`]. It also holds the
//! place of each document in the log, and the second at which it expires. It is written once, and read where a look-up falls. See `layout` for
//! its bytes.
//!
//! Not for: new documents, which are in a [`Memtable`](crate::keys::memtable::Memtable) until a run is made of it.

mod layout;
mod merge;
mod write;

pub(crate) use merge::{merge, next_merge};
pub(crate) use write::{RunWriter, write_table};

use self::layout::{BLOCK_DOCUMENTS, KeyRunTable, Outline};
use crate::disk::files::FileKind;
use crate::error::as_damage;
use crate::keys::tables::{NearPart, Tables};
use crate::life::NEVER;
use lookalike_store::{Error, PagedFile};
use std::ops::Range;
use std::path::Path;

/// A complete run.
#[derive(Debug)]
pub(crate) struct KeyRun {
    file: PagedFile,
    outline: Outline,
}

/// Tables that are looked up at a time, whose places are on the stack. Few plans have more than 64 bands.
const LOOKUP_TABLES: usize = 64;

impl KeyRun {
    /// Opens the run at `path`, which belongs to an index whose plan is `owner`, and has these `tables`.
    pub(crate) fn open(path: &Path, owner: u64, tables: &Tables) -> Result<Self, Error> {
        let file = PagedFile::open(path, FileKind::Run.kind(), owner).map_err(as_damage)?;
        let outline = Outline::read(&file, tables)?;
        Ok(KeyRun { file, outline })
    }

    /// The numbers of its documents in the whole index.
    pub(crate) fn range(&self) -> Range<u64> {
        self.outline.first..self.outline.first + self.outline.documents
    }

    /// The number of its documents, with those that were removed.
    pub(crate) fn documents(&self) -> u64 {
        self.outline.documents
    }

    /// The file that it is in.
    pub(crate) fn file(&self) -> &PagedFile {
        &self.file
    }

    /// Appends the documents that have one of `keys` to `found`, once for each key that they have. `keys` has a key for each table from
    /// `first_table` on, with the bits that an index [holds](crate::keys::key::held).
    ///
    /// # Errors
    /// [`Error::Damaged`].
    pub(crate) fn look_up(
        &self,
        first_table: usize,
        keys: &[u64],
        found: &mut Vec<u64>,
    ) -> Result<(), Error> {
        let mut at_once = (first_table..).step_by(LOOKUP_TABLES).zip(keys.chunks(LOOKUP_TABLES));
        at_once.try_for_each(|(first_table, keys)| self.look_up_at_once(first_table, keys, found))
    }

    fn look_up_at_once(&self, first_table: usize, keys: &[u64], found: &mut Vec<u64>) -> Result<(), Error> {
        // All directories are read before the first entry: the memory then works on many reads at a time.
        let mut ranges = [(0, 0); LOOKUP_TABLES];
        let tables = &self.outline.tables[first_table..][..keys.len()];
        for (range, (table, &key)) in ranges.iter_mut().zip(tables.iter().zip(keys)) {
            *range = self.bucket(table, self.outline.bucket_of(key))?;
        }
        for (&(start, end), (table, &key)) in ranges.iter().zip(tables.iter().zip(keys)) {
            self.scan(table, start..end, key, found)?;
        }
        Ok(())
    }

    /// The places of the first entry of `bucket` in `table`, and of the first one behind it.
    fn bucket(&self, table: &KeyRunTable, bucket: usize) -> Result<(usize, usize), Error> {
        let width = self.outline.number_bytes;
        let at = table.directory + width * bucket;
        let ends = self.file.bytes(at..at + 2 * width)?;
        let place = |bytes: &[u8]| bytes.iter().rev().fold(0, |place, &byte| place << 8 | usize::from(byte));
        let (start, end) = (place(&ends[..width]), place(&ends[width..]));
        if start > end || end > table.entries {
            return Err(self.file.damaged(at, "a directory is not ascending"));
        }
        Ok((start, end))
    }

    fn scan(
        &self,
        table: &KeyRunTable,
        range: Range<usize>,
        key: u64,
        found: &mut Vec<u64>,
    ) -> Result<(), Error> {
        let rest = self.outline.rest_of(table, key);
        let entries = self.entries(table, range)?.filter(|entry| Outline::rest_in(table, entry) == rest);
        found.extend(entries.map(|entry| self.outline.number_in(table, entry)));
        Ok(())
    }

    /// The bytes of some entries of `table`, each with all that follow it.
    fn entries(
        &self,
        table: &KeyRunTable,
        range: Range<usize>,
    ) -> Result<impl Iterator<Item = &[u8]>, Error> {
        let width = self.outline.entry_bytes(table);
        let at = table.start + width * range.start;
        // A table is followed by eight bytes or more, so that the parts of an entry can be read as numbers of eight bytes.
        let bytes = self.file.bytes(at..at + width * range.len() + 8)?;
        Ok((0..range.len()).map(move |entry| &bytes[entry * width..]))
    }

    /// The place in the log of the document with this number, which must be in [`KeyRun::range`].
    ///
    /// # Errors
    /// [`Error::Damaged`].
    pub(crate) fn place(&self, number: u64) -> Result<u64, Error> {
        let index = (number - self.outline.first) as usize;
        let (block, within) = (index / BLOCK_DOCUMENTS, index % BLOCK_DOCUMENTS);
        let at = self.outline.places + block * self.outline.block_bytes();
        let base = self.file.bytes(at..at + 8)?.try_into().map_or(0, u64::from_le_bytes);
        if within == 0 {
            return Ok(base);
        }
        let at = at + 8 + (within - 1) * self.outline.place_bytes;
        let mut offset = [0; 8];
        offset[..self.outline.place_bytes]
            .copy_from_slice(self.file.bytes(at..at + self.outline.place_bytes)?);
        Ok(base.wrapping_add(u64::from_le_bytes(offset)))
    }

    /// Appends the documents whose key in `table`, that of `part`, is near the `key` of a text.
    ///
    /// # Errors
    /// [`Error::Damaged`].
    pub(crate) fn look_near(
        &self,
        table: usize,
        part: &NearPart,
        key: u64,
        found: &mut Vec<u64>,
    ) -> Result<(), Error> {
        let (table, directory_bits) = (&self.outline.tables[table], self.outline.directory_bits);
        part.probes(key, directory_bits, |prefix, bits| {
            let first = (prefix as usize) << (directory_bits - bits);
            let mut buckets = first..first + (1 << (directory_bits - bits));
            buckets.try_for_each(|bucket| self.scan_near(table, bucket, part, key, found))
        })
    }

    fn scan_near(
        &self,
        table: &KeyRunTable,
        bucket: usize,
        part: &NearPart,
        key: u64,
        found: &mut Vec<u64>,
    ) -> Result<(), Error> {
        let (start, end) = self.bucket(table, bucket)?;
        let is_near = |entry: &&[u8]| part.is_near(self.outline.key_in(table, bucket, entry), key);
        let entries = self.entries(table, start..end)?.filter(is_near);
        found.extend(entries.map(|entry| self.outline.number_in(table, entry)));
        Ok(())
    }

    /// Tells the system that the place of this document will be read soon.
    pub(crate) fn expect_place(&self, number: u64) {
        let block = (number - self.outline.first) as usize / BLOCK_DOCUMENTS;
        let at = self.outline.places + block * self.outline.block_bytes();
        self.file.expect(at..at + self.outline.block_bytes());
    }

    /// Whether any of its documents expires.
    pub(crate) fn has_expiries(&self) -> bool {
        self.outline.expiries.is_some()
    }

    /// The second at which the document with this number expires, which must be in [`KeyRun::range`].
    ///
    /// # Errors
    /// [`Error::Damaged`].
    pub(crate) fn expiry(&self, number: u64) -> Result<u32, Error> {
        let Some(expiries) = self.outline.expiries else { return Ok(NEVER) };
        let at = expiries + 4 * (number - self.outline.first) as usize;
        Ok(self.file.bytes(at..at + 4)?.try_into().map_or(NEVER, u32::from_le_bytes))
    }

    /// The seconds at which all documents expire, in order.
    ///
    /// # Errors
    /// [`Error::Damaged`].
    pub(crate) fn expiries(&self) -> impl Iterator<Item = Result<u32, Error>> {
        self.range().map(|number| self.expiry(number))
    }

    /// The places of all documents, in order.
    ///
    /// # Errors
    /// [`Error::Damaged`].
    pub(crate) fn places(&self) -> impl Iterator<Item = Result<u64, Error>> + Clone {
        self.range().map(|number| self.place(number))
    }
}

#[cfg(test)]
mod tests;
