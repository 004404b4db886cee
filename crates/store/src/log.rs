//! A file of records that only grows.
//!
//! A record is a table of its parts, followed by the parts. The table holds the length and checksum of each part, and ends with
//! its own checksum. If the program or the machine stops in the middle of a record, the checksums of that record do not match.
//! The record is cut off when the file is continued.

use bytemuck::{AnyBitPattern, NoUninit};
use std::{
    fs::File,
    io::Write,
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::{
    ContainerKind, Error,
    column::MappedColumn,
    header::{HEADER_BYTES, check, header},
    map::Map,
};

/// The first bytes of every record.
const RECORD: u32 = u32::from_le_bytes(*b"rec\n");

/// Parts start at multiples of this many bytes.
const ALIGN: usize = 8;

/// The maximum number of parts in a record.
const MOST_PARTS: usize = 64;

const CUT_OFF: &str = "a record is cut off";

/// The length in bytes of the table of a record with `parts` parts.
pub(crate) fn table_bytes(parts: usize) -> usize {
    16 + 16 * parts
}

pub(crate) fn padded(length: usize) -> usize {
    length.next_multiple_of(ALIGN)
}

/// Makes the table of a record at `at` whose parts have these lengths and checksums. Returns its own checksum too, which is its
/// last field.
pub(crate) fn table(at: u64, parts: &[(u64, u64)]) -> (Vec<u8>, u64) {
    let mut table = Vec::with_capacity(table_bytes(parts.len()));
    table.extend_from_slice(&RECORD.to_le_bytes());
    table.extend_from_slice(&(parts.len() as u32).to_le_bytes());
    for (length, checksum) in parts {
        table.extend_from_slice(&length.to_le_bytes());
        table.extend_from_slice(&checksum.to_le_bytes());
    }
    // The checksum covers the place, so a record that was moved is not accepted.
    let check = xxh3_64_with_seed(&table, at);
    table.extend_from_slice(&check.to_le_bytes());
    (table, check)
}

/// Appends records to a file.
#[derive(Debug)]
pub struct LogWriter {
    path: PathBuf,
    file: File,
    end: u64,
    /// The bytes of a record.
    scratch: Vec<u8>,
    digest: u64,
    /// The first failure to write, if there was one. The contents of the file are unknown from then on.
    failed: Option<std::io::Error>,
}

impl LogWriter {
    /// Creates the file at `path`, and replaces any file there.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn create(path: &Path, kind: ContainerKind, owner: u64) -> Result<Self, Error> {
        let mut file = File::create(path).map_err(Error::write(path))?;
        file.write_all(&header(kind, owner)).map_err(Error::write(path))?;
        Ok(LogWriter {
            path: path.to_owned(),
            file,
            end: HEADER_BYTES as u64,
            scratch: Vec::new(),
            digest: 0,
            failed: None,
        })
    }

    /// Opens the file at `path` to append behind its last whole record, and cuts off anything behind that record. A file
    /// without a whole header is created anew. Returns the whole records too, and the damage that followed them: see
    /// [`Log::open_torn`].
    ///
    /// # Errors
    /// [`Error`]. A file of another kind, version or owner is not changed.
    pub fn resume(path: &Path, kind: ContainerKind, owner: u64) -> Result<(Self, Log, Option<Error>), Error> {
        let length = std::fs::metadata(path).map_or(0, |found| found.len());
        if length < HEADER_BYTES as u64 {
            let writer = Self::create(path, kind, owner)?;
            return Ok((writer, Log::open(path, kind, Some(owner))?, None));
        }
        let (log, damage) = Log::open_torn(path, kind, owner)?;
        let end = log.records.last().map_or(HEADER_BYTES, |record| record.end) as u64;
        let file = File::options().append(true).open(path).map_err(Error::write(path))?;
        file.set_len(end).map_err(Error::write(path))?;
        let digest = log.digest();
        Ok((
            LogWriter { path: path.to_owned(), file, end, scratch: Vec::new(), digest, failed: None },
            log,
            damage,
        ))
    }

    /// Appends a record, and returns the byte at which it starts.
    ///
    /// # Errors
    /// [`Error::Write`]. The file may then hold a part of the record, so every later write is refused too.
    ///
    /// # Panics
    /// If there are more than 64 parts.
    pub fn append(&mut self, parts: &[&[u8]]) -> Result<u64, Error> {
        assert!(parts.len() <= MOST_PARTS, "a record has few parts");
        self.check_earlier_writes()?;
        let at = self.end;
        let sums: Vec<(u64, u64)> = parts.iter().map(|part| (part.len() as u64, xxh3_64(part))).collect();
        let (table, check) = table(at, &sums);
        self.scratch.clear();
        self.scratch.extend_from_slice(&table);
        for part in parts {
            self.scratch.extend_from_slice(part);
            self.scratch.resize(padded(self.scratch.len()), 0);
        }
        self.end += self.scratch.len() as u64;
        self.digest = xxh3_64_with_seed(&check.to_le_bytes(), self.digest);
        if let Err(error) = self.file.write_all(&self.scratch) {
            self.failed = Some(error);
            self.check_earlier_writes()?;
        }
        Ok(at)
    }

    /// Returns the error of the write that failed, if one has.
    fn check_earlier_writes(&self) -> Result<(), Error> {
        let Some(error) = &self.failed else { return Ok(()) };
        let source = match error.raw_os_error() {
            Some(code) => std::io::Error::from_raw_os_error(code),
            None => std::io::Error::other("an earlier record was not written to its end"),
        };
        Err(Error::Write { path: self.path.clone(), source })
    }

    /// A digest of all records in their order: see [`Log::digest`].
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// The length in bytes.
    pub fn length(&self) -> u64 {
        self.end
    }

    /// Waits until all written records are on the disk.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn sync(&self) -> Result<(), Error> {
        self.file.sync_data().map_err(Error::write(&self.path))
    }
}

/// A complete file of records.
#[derive(Debug)]
pub struct Log {
    path: Arc<Path>,
    map: Arc<Map>,
    owner: u64,
    records: Vec<RecordRange>,
}

/// The byte range of a record.
#[derive(Debug)]
struct RecordRange {
    start: usize,
    end: usize,
}

/// A record of a [`Log`].
#[derive(Clone, Copy, Debug)]
pub struct StoredRecord<'l> {
    log: &'l Log,
    at: usize,
}

impl Log {
    /// Opens the file at `path`. The tables of all records are checked now, and a part is checked when it is read.
    ///
    /// # Errors
    /// [`Error`] if the file cannot be read, is of another kind, version or owner, or is damaged in a header or table. `None`
    /// accepts every owner.
    pub fn open(path: &Path, kind: ContainerKind, owner: Option<u64>) -> Result<Self, Error> {
        Self::whole(Self::read(path, Map::new(path)?, kind, owner)?)
    }

    fn whole((log, torn): (Self, Option<Error>)) -> Result<Self, Error> {
        match torn {
            Some(error) => Err(error),
            None => Ok(log),
        }
    }

    /// Opens the file at `path`, which may end in the middle of a record. All parts are checked, and the log ends before the
    /// first damaged record. Returns that damage, unless the only damage is that the last record is cut off.
    ///
    /// # Errors
    /// As [`Log::open`], except for damage behind the header.
    pub fn open_torn(path: &Path, kind: ContainerKind, owner: u64) -> Result<(Self, Option<Error>), Error> {
        let (mut log, torn) = Self::read(path, Map::new(path)?, kind, Some(owner))?;
        let mut damage = torn.filter(|torn| !matches!(torn, Error::Damaged { what: CUT_OFF, .. }));
        let whole = log.records().map(StoredRecord::verify).position(|verified| match verified {
            Ok(()) => false,
            Err(error) => {
                damage = Some(error);
                true
            }
        });
        log.records.truncate(whole.unwrap_or(usize::MAX));
        Ok((log, damage))
    }

    fn read(
        path: &Path,
        map: Map,
        kind: ContainerKind,
        owner: Option<u64>,
    ) -> Result<(Self, Option<Error>), Error> {
        let owner = check(path, &map, kind, owner)?;
        let mut log = Log { path: path.into(), map: Arc::new(map), owner, records: Vec::new() };
        let mut at = HEADER_BYTES;
        while at < log.map.len() {
            match log.place(at) {
                Ok(placed) => {
                    at = placed.end;
                    log.records.push(placed);
                }
                Err(error) => return Ok((log, Some(error))),
            }
        }
        Ok((log, None))
    }

    /// The record that starts at `at`, if its table is undamaged and the file is long enough for it.
    fn place(&self, at: usize) -> Result<RecordRange, Error> {
        let damaged = |what| Error::Damaged { path: self.path.to_path_buf(), at: at as u64, what };
        if !at.is_multiple_of(ALIGN) {
            return Err(damaged("no record starts here"));
        }
        let head = self.map.get(at..at.saturating_add(8)).ok_or_else(|| damaged(CUT_OFF))?;
        let parts = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
        if head[..4] != RECORD.to_le_bytes() || parts > MOST_PARTS {
            return Err(damaged("no record starts here"));
        }
        let table = self.map.get(at..at + table_bytes(parts)).ok_or_else(|| damaged(CUT_OFF))?;
        let (table, check) = table.split_at(table.len() - 8);
        if check != xxh3_64_with_seed(table, at as u64).to_le_bytes() {
            return Err(damaged("the table of a record does not match its checksum"));
        }
        let record = StoredRecord { log: self, at };
        let end = (0..parts).try_fold(at + table_bytes(parts), |end, part| {
            let length = usize::try_from(record.length(part)).ok()?.checked_next_multiple_of(ALIGN)?;
            end.checked_add(length)
        });
        match end {
            Some(end) if end <= self.map.len() => Ok(RecordRange { start: at, end }),
            _ => Err(damaged(CUT_OFF)),
        }
    }

    /// A digest of all records and their order. Files with different contents have different digests. Only tables are read,
    /// because they hold the checksums of all parts.
    pub fn digest(&self) -> u64 {
        self.records().fold(0, |digest, record| xxh3_64_with_seed(&record.check().to_le_bytes(), digest))
    }

    /// The length of the file in bytes.
    pub fn length(&self) -> u64 {
        self.map.len() as u64
    }

    /// The owner of the file.
    pub fn owner(&self) -> u64 {
        self.owner
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether the log has no records.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// All records, in order.
    pub fn records(&self) -> impl Iterator<Item = StoredRecord<'_>> {
        self.records.iter().map(|placed| StoredRecord { log: self, at: placed.start })
    }

    /// Record `index`.
    ///
    /// # Panics
    /// If the log has no record of this number.
    pub fn record(&self, index: usize) -> StoredRecord<'_> {
        StoredRecord { log: self, at: self.records[index].start }
    }
}

impl<'l> StoredRecord<'l> {
    fn number(self, at: usize) -> u64 {
        self.log.map[at..at + 8].try_into().map_or(0, u64::from_le_bytes)
    }

    /// The checksum of the table.
    fn check(self) -> u64 {
        self.number(self.at + table_bytes(self.parts()) - 8)
    }

    /// The number of parts.
    pub fn parts(self) -> usize {
        self.number(self.at) as usize >> 32
    }

    fn length(self, part: usize) -> u64 {
        self.number(self.at + 8 + 16 * part)
    }

    fn range(self, part: usize) -> Range<usize> {
        let first = self.at + table_bytes(self.parts());
        let start = first + (0..part).map(|before| padded(self.length(before) as usize)).sum::<usize>();
        start..start + self.length(part) as usize
    }

    /// The bytes of part `part`, checked.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the bytes do not match their checksum, or if there is no such part.
    pub fn bytes(self, part: usize) -> Result<&'l [u8], Error> {
        if part >= self.parts() {
            return Err(self.damaged("a part is missing"));
        }
        let range = self.range(part);
        let padding = &self.log.map[range.end..padded(range.end)];
        let bytes = &self.log.map[range];
        let is_whole = xxh3_64(bytes) == self.number(self.at + 16 + 16 * part);
        if is_whole && padding.iter().all(|&byte| byte == 0) {
            Ok(bytes)
        } else {
            Err(self.damaged("a part does not match its checksum"))
        }
    }

    /// The values of part `part`, checked.
    ///
    /// # Errors
    /// As [`StoredRecord::bytes`].
    pub fn values<T: AnyBitPattern>(self, part: usize) -> Result<&'l [T], Error> {
        let bytes = self.bytes(part)?;
        bytemuck::try_cast_slice(bytes).map_err(|_| self.damaged("a part has another type"))
    }

    /// The values of part `part`, which stay valid when the log is dropped.
    ///
    /// # Errors
    /// As [`StoredRecord::bytes`].
    pub fn column<T: AnyBitPattern>(self, part: usize) -> Result<MappedColumn<T>, Error> {
        self.values::<T>(part)?;
        Ok(MappedColumn::new(Arc::clone(&self.log.map), self.range(part)))
    }

    /// Checks all parts.
    ///
    /// # Errors
    /// [`Error::Damaged`] if a part does not match its checksum.
    pub fn verify(self) -> Result<(), Error> {
        (0..self.parts()).try_for_each(|part| self.bytes(part).map(drop))
    }

    /// Makes the error for a damaged record: `what` says what is wrong.
    pub fn damaged(self, what: &'static str) -> Error {
        Error::Damaged { path: self.log.path.to_path_buf(), at: self.at as u64, what }
    }
}

/// The bytes of `values`, as they are stored.
pub fn bytes_of<T: NoUninit>(values: &[T]) -> &[u8] {
    bytemuck::cast_slice(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_claims_more_bytes_than_the_file_has_is_cut_off() {
        const KIND: ContainerKind = ContainerKind { tag: *b"test", name: "a test" };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        for length in [u64::MAX, u64::MAX - 7, 1 << 63, 1 << 40] {
            let (table, _) = table(HEADER_BYTES as u64, &[(length, 0), (length, 0)]);
            std::fs::write(&path, [&header(KIND, 7)[..], &table].concat()).unwrap();
            let error = Log::open(&path, KIND, Some(7)).unwrap_err();
            assert!(matches!(error, Error::Damaged { what: CUT_OFF, .. }), "{error}");
        }
    }
}
