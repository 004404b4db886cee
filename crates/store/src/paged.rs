//! A file that is read at scattered places: each page of it is checked when it is read for the first time.
//!
//! | bytes | contents |
//! |---|---|
//! | 32 | the header: see `header` |
//! | any | the data |
//! | 8 for each page | the checksum of each page of 4,096 bytes of the file, up to the end of the data, seeded with the number of the page |
//! | 8 | the byte of the file at which the data ends |
//! | 8 | the digest: a checksum of the two fields before |
//!
//! A file of a gigabyte is opened by reading two megabytes of checksums. Not for: records of different kinds in one file (see `log`).

use std::{
    fs::File,
    io::Write,
    ops::Range,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::{
    ContainerKind, Error,
    header::{HEADER_BYTES, check, header},
    map::Map,
};

/// Bytes of a page: what the system reads at least, so that a check needs no other page.
const PAGE_BYTES: usize = 4096;

/// Bytes that are collected before they are written, a multiple of [`PAGE_BYTES`].
const BUFFER_BYTES: usize = 1 << 20;

/// Bytes behind the table of checksums.
const TRAILER_BYTES: usize = 16;

/// Writes a [`PagedFile`].
#[derive(Debug)]
pub struct PagedWriter {
    path: PathBuf,
    file: File,
    /// Bytes that are not in the file yet. They start a page.
    buffer: Vec<u8>,
    /// The checksums of the pages that are in the file.
    checks: Vec<u64>,
}

/// The length and the digest of a file that is complete. Another file with its name has others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PagedSummary {
    /// The length of the file.
    pub bytes: u64,
    /// See [`PagedFile::digest`].
    pub digest: u64,
}

impl PagedWriter {
    /// Creates the file at `path`, and replaces any file there.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn create(path: &Path, kind: ContainerKind, owner: u64) -> Result<Self, Error> {
        let file = File::create(path).map_err(Error::write(path))?;
        let mut buffer = Vec::with_capacity(BUFFER_BYTES);
        buffer.extend_from_slice(&header(kind, owner));
        Ok(PagedWriter { path: path.to_owned(), file, buffer, checks: Vec::new() })
    }

    /// The byte of the file at which the next data will be.
    pub fn position(&self) -> u64 {
        (self.checks.len() * PAGE_BYTES + self.buffer.len()) as u64
    }

    /// Appends data.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn write(&mut self, mut data: &[u8]) -> Result<(), Error> {
        while !data.is_empty() {
            let (now, later) = data.split_at(data.len().min(BUFFER_BYTES - self.buffer.len()));
            self.buffer.extend_from_slice(now);
            data = later;
            if self.buffer.len() == BUFFER_BYTES {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Error> {
        for page in self.buffer.chunks(PAGE_BYTES) {
            self.checks.push(xxh3_64_with_seed(page, self.checks.len() as u64));
        }
        self.file.write_all(&self.buffer).map_err(Error::write(&self.path))?;
        self.buffer.clear();
        Ok(())
    }

    /// Completes the file, and waits until it is on the disk.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn finish(mut self) -> Result<PagedSummary, Error> {
        let end = self.position();
        self.flush()?;
        let mut tail: Vec<u8> = bytemuck::cast_slice(&self.checks).to_vec();
        tail.extend_from_slice(&end.to_le_bytes());
        let digest = xxh3_64(&tail);
        tail.extend_from_slice(&digest.to_le_bytes());
        let write = self.file.write_all(&tail).and_then(|()| self.file.sync_all());
        write.map_err(Error::write(&self.path))?;
        Ok(PagedSummary { bytes: end + tail.len() as u64, digest })
    }
}

/// A complete file, mapped into memory.
#[derive(Debug)]
pub struct PagedFile {
    path: PathBuf,
    map: Map,
    /// Where the data ends, and the checksums begin.
    end: usize,
    digest: u64,
    /// A bit for each page that was checked.
    checked: Box<[AtomicU64]>,
}

impl PagedFile {
    /// Opens the file at `path`. Its checksums are read now, and the data when it is accessed.
    ///
    /// # Errors
    /// [`Error`] if the file cannot be read, is of another kind, version or owner, or is damaged outside the data.
    pub fn open(path: &Path, kind: ContainerKind, owner: u64) -> Result<Self, Error> {
        let map = Map::sparse(path)?;
        check(path, &map, kind, Some(owner))?;
        let damaged = |what| Error::Damaged { path: path.to_owned(), at: 0, what };
        let number = |range: Range<usize>| map.get(range)?.try_into().ok().map(u64::from_le_bytes);
        let length = map.len();
        let last = length.checked_sub(TRAILER_BYTES).ok_or_else(|| damaged("it is cut off"))?;
        let end = number(last..last + 8).and_then(|end| usize::try_from(end).ok()).unwrap_or(0);
        let digest = number(last + 8..length).unwrap_or(0);
        let pages = end.div_ceil(PAGE_BYTES);
        let has_table = end >= HEADER_BYTES && end.checked_add(8 * pages) == Some(last);
        if !has_table || xxh3_64(&map[end..last + 8]) != digest {
            return Err(damaged("its end does not match its checksum"));
        }
        let checked = (0..pages.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Ok(PagedFile { path: path.to_owned(), map, end, digest, checked })
    }

    /// Changes with every byte of the data.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// The byte of the file at which the data ends.
    pub fn data_end(&self) -> usize {
        self.end
    }

    /// The length of the file.
    pub fn length(&self) -> u64 {
        self.map.len() as u64
    }

    /// The bytes of the file in `range`, which must be in the data. Pages that are read for the first time are checked.
    ///
    /// # Errors
    /// [`Error::Damaged`] if a page does not match its checksum, or if the range is not in the data.
    #[inline]
    pub fn bytes(&self, range: Range<usize>) -> Result<&[u8], Error> {
        if range.start > range.end || range.start < HEADER_BYTES || range.end > self.end {
            return Err(self.damaged(range.start, "data is missing"));
        }
        for page in range.start / PAGE_BYTES..range.end.div_ceil(PAGE_BYTES) {
            if self.checked[page / 64].load(Ordering::Relaxed) >> (page % 64) & 1 == 0 {
                self.check_page(page)?;
            }
        }
        Ok(&self.map[range])
    }

    #[cold]
    fn check_page(&self, page: usize) -> Result<(), Error> {
        let start = page * PAGE_BYTES;
        let data = &self.map[start..self.end.min(start + PAGE_BYTES)];
        let expected = &self.map[self.end + 8 * page..][..8];
        if xxh3_64_with_seed(data, page as u64).to_le_bytes() != expected {
            return Err(self.damaged(start, "a page does not match its checksum"));
        }
        // The page is in memory that the system may read again, so this says what was read once. It is what a checksum can say.
        self.checked[page / 64].fetch_or(1 << (page % 64), Ordering::Relaxed);
        Ok(())
    }

    /// Tells the system that `range` will be read soon.
    pub fn expect(&self, range: Range<usize>) {
        self.map.expect(range);
    }

    /// Reads the file once from start to end, so that it is in memory, and checks every page.
    ///
    /// # Errors
    /// [`Error::Damaged`].
    pub fn verify(&self) -> Result<(), Error> {
        // Pieces, so that the system reads the next one while this one is checked.
        const PIECE_PAGES: usize = 1024;
        let pages = self.end.div_ceil(PAGE_BYTES);
        for page in 0..pages {
            if page.is_multiple_of(PIECE_PAGES) {
                let start = page * PAGE_BYTES;
                self.map.expect(start..(start + 2 * PIECE_PAGES * PAGE_BYTES).min(self.end));
            }
            self.check_page(page)?;
        }
        Ok(())
    }

    /// Makes the error for damaged data at byte `at` of the file.
    pub fn damaged(&self, at: usize, what: &'static str) -> Error {
        Error::Damaged { path: self.path.clone(), at: at as u64, what }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: ContainerKind = ContainerKind { tag: *b"test", name: "a test" };

    fn write(path: &Path, data: &[u8]) -> PagedSummary {
        let mut writer = PagedWriter::create(path, KIND, 7).unwrap();
        data.chunks(777).for_each(|piece| writer.write(piece).unwrap());
        assert_eq!(writer.position(), (HEADER_BYTES + data.len()) as u64);
        writer.finish().unwrap()
    }

    #[test]
    fn what_was_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for length in [0, 1, 4064, 4065, 10_000, BUFFER_BYTES - HEADER_BYTES, BUFFER_BYTES + 5000] {
            let data: Vec<u8> = (0..length).map(|byte| (byte * byte % 251) as u8).collect();
            let summary = write(&path, &data);
            let file = PagedFile::open(&path, KIND, 7).unwrap();
            assert_eq!((file.length(), file.digest()), (summary.bytes, summary.digest));
            assert_eq!(file.bytes(HEADER_BYTES..HEADER_BYTES + length).unwrap(), data);
            file.verify().unwrap();
            assert!(file.bytes(HEADER_BYTES..HEADER_BYTES + length + 1).is_err());
            assert!(file.bytes(0..8).is_err());
        }
    }

    #[test]
    fn every_changed_byte_is_found_and_the_pages_without_it_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let data: Vec<u8> = (0..9000_u32).map(|byte| (byte % 253) as u8).collect();
        write(&path, &data);
        let whole = std::fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            std::fs::write(&path, &bytes).unwrap();
            let Ok(file) = PagedFile::open(&path, KIND, 7) else { continue };
            assert!((HEADER_BYTES..HEADER_BYTES + data.len()).contains(&at), "byte {at} is in no check");
            assert!(matches!(file.verify(), Err(Error::Damaged { .. })), "byte {at}");
            let page = at / PAGE_BYTES;
            for other in (0..3).filter(|&other| other != page) {
                let range = (other * PAGE_BYTES).max(HEADER_BYTES)..((other + 1) * PAGE_BYTES).min(9032);
                assert!(file.bytes(range).is_ok());
            }
            assert!(file.bytes(at..at + 1).is_err());
        }
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert!(PagedFile::open(&path, KIND, 7).is_err(), "{length} bytes");
        }
    }
}
