//! A file of the log whose dead documents are gone.
//!
//! It stands for a file of frames that runs cover. No place in a run changes: a table leads from the old place of a document to its new one.
//! Nothing but documents is left. Removals, links and all else of the frames are in files of their own by then.
//!
//! It is a [`PagedFile`]. Its data are the [records](super::record) of the living documents, ascending by place; then for each of them its
//! byte in the file of frames and its byte in this file, eight bytes each; then the number of records, eight bytes. Numbers are little-endian.

use crate::disk::files::FileKind;
use crate::error::as_damage;
use lookalike_store::{Error, PagedFile, PagedSummary, PagedWriter, bytes_of};
use std::path::Path;

/// A file of the log whose dead documents are gone.
#[derive(Debug)]
pub(crate) struct PackedLog {
    file: PagedFile,
    /// The place in the whole log at which the file of frames started.
    start: u64,
    /// The byte at which the table starts.
    table: usize,
    documents: usize,
}

/// Bytes of an entry of the table.
const ENTRY_BYTES: usize = 16;

impl PackedLog {
    /// Opens the file at `path`, which stands for the frames from place `start` on.
    pub(crate) fn open(path: &Path, owner: u64, start: u64) -> Result<Self, Error> {
        let file = PagedFile::open(path, FileKind::Packed.kind(), owner).map_err(as_damage)?;
        let count = file.data_end() - 8;
        let documents = file.bytes(count..count + 8)?.try_into().map_or(u64::MAX, u64::from_le_bytes);
        let table = usize::try_from(documents).ok().and_then(|documents| documents.checked_mul(ENTRY_BYTES));
        let table = table.and_then(|bytes| count.checked_sub(bytes)).filter(|&at| at >= HEADER_END);
        let table = table.ok_or_else(|| file.damaged(count, "its table is longer than the file"))?;
        Ok(PackedLog { file, start, table, documents: documents as usize })
    }

    pub(crate) fn start(&self) -> u64 {
        self.start
    }

    /// The number of documents that are left.
    pub(crate) fn documents(&self) -> u64 {
        self.documents as u64
    }

    /// The file that it is in.
    pub(crate) fn file(&self) -> &PagedFile {
        &self.file
    }

    /// The old and the new byte of a document.
    fn entry(&self, index: usize) -> Result<(u64, u64), Error> {
        let at = self.table + ENTRY_BYTES * index;
        let (old, new) = self.file.bytes(at..at + ENTRY_BYTES)?.split_at(8);
        let number = |bytes: &[u8]| bytes.try_into().map_or(0, u64::from_le_bytes);
        Ok((number(old), number(new)))
    }

    /// The byte of the document that had this place in the log, or `None` if it is gone.
    pub(crate) fn find(&self, place: u64) -> Result<Option<usize>, Error> {
        let wanted = place - self.start;
        let (mut from, mut to) = (0, self.documents);
        while from < to {
            let middle = from.midpoint(to);
            let (old, new) = self.entry(middle)?;
            match old.cmp(&wanted) {
                std::cmp::Ordering::Equal => return Ok(usize::try_from(new).ok()),
                std::cmp::Ordering::Less => from = middle + 1,
                std::cmp::Ordering::Greater => to = middle,
            }
        }
        Ok(None)
    }

    /// The bytes from byte `at` on, `length` of them, or fewer at the end of the documents.
    pub(crate) fn bytes(&self, at: usize, length: usize) -> Result<&[u8], Error> {
        self.file.bytes(at..at.saturating_add(length).min(self.table).max(at))
    }
}

/// The byte at which the data of a file starts.
const HEADER_END: usize = 32;

/// Writes a [`PackedLog`].
#[derive(Debug)]
pub(crate) struct PackedWriter {
    file: PagedWriter,
    table: Vec<[u64; 2]>,
}

impl PackedWriter {
    /// Creates the file at `path`.
    pub(crate) fn create(path: &Path, owner: u64) -> Result<Self, Error> {
        let file = PagedWriter::create(path, FileKind::Packed.kind(), owner)?;
        Ok(PackedWriter { file, table: Vec::new() })
    }

    /// Appends the record of a document that was at byte `old` of the file of frames. Documents come in the order of their places.
    pub(crate) fn push(&mut self, old: u64, record: &[u8]) -> Result<(), Error> {
        self.table.push([old, self.file.position()]);
        self.file.write(record)
    }

    /// Completes the file on the disk.
    pub(crate) fn finish(mut self) -> Result<PagedSummary, Error> {
        self.file.write(bytes_of(&self.table))?;
        self.file.write(&(self.table.len() as u64).to_le_bytes())?;
        self.file.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_found_by_their_old_places_and_damage_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("packed");
        let record = |old: u64| vec![old as u8; 20 + old as usize % 300];
        let olds: Vec<u64> = (0..100).map(|index| 48 + index * 1000 + index % 7).collect();
        let mut writer = PackedWriter::create(&path, 7).unwrap();
        olds.iter().for_each(|&old| writer.push(old, &record(old)).unwrap());
        let summary = writer.finish().unwrap();
        let packed = PackedLog::open(&path, 7, 5000).unwrap();
        assert_eq!((packed.documents(), packed.file().digest()), (100, summary.digest));
        for &old in &olds {
            let at = packed.find(5000 + old).unwrap().unwrap();
            assert_eq!(packed.bytes(at, record(old).len()).unwrap(), record(old));
            assert_eq!((packed.find(5001 + old).unwrap(), packed.find(4999 + old).unwrap()), (None, None));
        }
        let whole = std::fs::read(&path).unwrap();
        for at in (0..whole.len()).step_by(13) {
            let mut bytes = whole.clone();
            bytes[at] ^= 4;
            std::fs::write(&path, &bytes).unwrap();
            let Ok(packed) = PackedLog::open(&path, 7, 5000) else { continue };
            assert!(packed.file().verify().is_err(), "byte {at}");
            for &old in &olds {
                let read = packed.find(5000 + old).and_then(|at| {
                    let at = at.ok_or_else(|| packed.file().damaged(0, "it is there"))?;
                    packed.bytes(at, record(old).len())
                });
                assert!(read.is_err() || read.is_ok_and(|bytes| bytes == record(old)), "byte {at}");
            }
        }
    }
}
