//! A file of chained frames that only grows. A frame is durable after one `fdatasync`, and the file recovers after a kill or a
//! power cut.
//!
//! # Format
//!
//! Numbers are little-endian. There is no padding. The start of the file has 48 bytes, which are written once:
//!
//! | byte | bytes | field |
//! |---:|---:|---|
//! | 0 | 32 | the header of all files: kind, version, owner |
//! | 32 | 8 | the chain value that the first frame continues; 0 in the first file |
//! | 40 | 8 | checksum of bytes 32 to 40: xxh3, seeded with the checksum of the header. It is the *seed* of the file |
//!
//! Frames follow. A frame is a head of 52 bytes and a payload:
//!
//! | byte | bytes | field |
//! |---:|---:|---|
//! | 0 | 4 | magic: `f5`, then `frm` |
//! | 4 | 4 | length of the payload in bytes |
//! | 8 | 4 | number of sparse sectors in the payload: see *Torn or damaged* |
//! | 12 | 8 | sequence number of the first entry in the payload, given by the caller |
//! | 20 | 8 | durable: a completed sync had put this many bytes of the file on the disk when the frame was made |
//! | 28 | 8 | checksum of the payload: xxh3 |
//! | 36 | 8 | chain value of the frame before, or of the start |
//! | 44 | 8 | chain value of this frame: xxh3 of the 44 bytes before, seeded with the sum of the file's seed and the byte at which the frame starts |
//!
//! The chain value is also the checksum of the head. It covers the chain value before it, and thus all frames before. A frame that
//! was dropped, moved or exchanged breaks the chain. The previous value is stored, because recovery must be able to check a head
//! behind a bad frame, where the chain is unknown. The place and the seed of the file are in the checksum for the same reason.
//! A payload that holds a copy of a frame is then not taken for one, nor is an old frame of another file.
//!
//! # Torn or damaged
//!
//! A bad frame is *torn* if its write was not finished. It was then never acknowledged, and the file ends before it. A bad frame is
//! *damaged* if its bytes changed later. Nothing is cut off then. [`Journal::recover`] reports damage if one of these holds:
//!
//! - The frame starts before a byte that the caller knows to be durable.
//! - A later head says so: its `durable` is greater than the start of the bad frame.
//! - The file holds the whole head, but the head fails its checksum, and it is not unwritten.
//! - The file holds the whole frame, but the payload fails its checksum, and no sector of it is unwritten.
//! - The head is undamaged, but it does not continue the chain.
//!
//! The last three rest on an assumption: an unfinished write leaves a shorter file, or sectors of zeros. A sector has 512 bytes, is
//! aligned in the file, and is written in full or not at all. A write that adds to a sector does not harm the bytes that are
//! in it. SQLite makes the last assumption too (`SQLITE_IOCAP_POWERSAFE_OVERWRITE`), and it allows for a file that is longer than
//! its data (no `SQLITE_IOCAP_SAFE_APPEND`). ext4 with `data=ordered`, XFS, Btrfs, APFS and NTFS are assumed to show zeros, and
//! never old data, where data was not written. A file system that shows old data causes a report of damage, and no cut.
//!
//! A changed byte must not make an acknowledged frame look torn. A sector is therefore called *sparse* if fewer than eight of its
//! bytes are not zero. The frame stores the number of sparse sectors that its payload was written with. It is torn only if more of
//! its sectors are zero. Only sectors that start in the payload are counted, and the last one only if the payload has eight bytes
//! or more in it. Two errors are left, and both need rare conditions:
//!
//! - A torn frame is reported as damaged if its zero sectors are as few as its sparse ones, or hold fewer than eight of its bytes.
//! - A synced frame is cut off if its bytes in a sector were zeroed later, or the file was shortened. This needs that no head of
//!   a later sync is left, and that the caller does not know that the frame was durable.
//!
//! # Syncs that fail
//!
//! After a failed `fdatasync` the system may mark the pages as clean, and a second `fdatasync` then reports success for data
//! that is lost (PostgreSQL's "fsyncgate", 2018). A writer whose sync failed therefore refuses all later calls. It can only cut off what is not
//! known to be on the disk ([`JournalWriter::cut_back`]), so that another file can follow this one.
//!
//! Not for: knowing what a payload means, choosing when to sync, or syncing the folder that has the file's name.

mod check;
mod frame;
mod recovery;
mod source;
mod start;
mod walk;
mod writer;

pub use frame::HEAD_BYTES as FRAME_HEAD_BYTES;
pub use recovery::Recovered;
pub use walk::Frame;
pub use writer::JournalWriter;

use std::{
    borrow::Cow,
    fs::File,
    ops::Range,
    path::{Path, PathBuf},
};

use crate::{ContainerKind, Error, map::Map};
use check::BadFrame;
use source::JournalBytes;
use start::JournalStart;
use walk::Frames;

/// The end of a journal: the state that the next frame continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JournalEnd {
    /// The byte at which the next frame starts.
    pub at: u64,
    /// The chain value of the last frame.
    pub chain: u64,
}

/// A journal that is open for reading, from any number of threads.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    start: JournalStart,
    bytes: JournalBytes,
}

impl Journal {
    /// Maps the file at `path`, which no writer appends to. Only the start of the file is checked.
    ///
    /// Drop the journal before [`JournalWriter::resume`] shortens the file: bytes that are mapped must stay.
    ///
    /// # Errors
    /// [`Error`] if the file cannot be read, its start is damaged, or it is of another kind, version or owner.
    pub fn open(path: &Path, kind: ContainerKind, owner: u64) -> Result<Self, Error> {
        let map = Map::sparse(path)?;
        let start = JournalStart::check(path, &map, kind, owner)?;
        Ok(Journal { path: path.to_owned(), start, bytes: JournalBytes::Mapped(map) })
    }

    /// Opens the file at `path`, to which a [`JournalWriter`] may append, and which it may cut behind the first `kept` bytes. These are mapped. Every
    /// read behind them asks the system, so appended frames can be read at once. Only the start of the file is checked.
    ///
    /// # Errors
    /// As [`Journal::open`], and [`Error::Damaged`] if the file has fewer than `kept` bytes.
    pub fn open_growing(path: &Path, kind: ContainerKind, owner: u64, kept: u64) -> Result<Self, Error> {
        let file = File::open(path).map_err(Error::read(path))?;
        let start = JournalStart::check(path, &start::read(path, &file)?, kind, owner)?;
        let length = file.metadata().map_err(Error::read(path))?.len();
        if length < kept {
            let what = "the file ends before bytes that were on the disk";
            return Err(Error::Damaged { path: path.to_owned(), at: length, what });
        }
        let map = Map::of_start(path, &file, kept)?.for_scattered_reads();
        Ok(Journal { path: path.to_owned(), start, bytes: JournalBytes::Growing(file, map) })
    }

    /// The place of the first frame, and the chain value that it continues.
    pub fn start(&self) -> JournalEnd {
        self.start.end()
    }

    /// The length of the file in bytes, including any bytes behind the last whole frame.
    ///
    /// # Errors
    /// [`Error::Read`].
    pub fn length(&self) -> Result<u64, Error> {
        self.bytes.length().map_err(Error::read(&self.path))
    }

    /// The frames between `from` and byte `to`. The head, chain and payload of each are checked. The iterator ends after an
    /// error.
    ///
    /// The errors are [`Error::Read`] and [`Error::Damaged`], which names the byte at which the bad frame starts.
    pub fn frames(&self, from: JournalEnd, to: u64) -> impl Iterator<Item = Result<Frame<'_>, Error>> {
        Frames::new(self, from, to).map(|frame| frame.map_err(|bad| self.error(bad)))
    }

    /// Where the last frame between `from` and byte `to` starts whose first entry has the sequence number `sequence`, or a smaller one. `from` if
    /// there is none. Reads and checks the heads of frames, and not their payloads.
    ///
    /// # Errors
    /// [`Error::Read`] and [`Error::Damaged`], which names the byte at which the bad frame starts.
    pub fn seek(&self, from: JournalEnd, to: u64, sequence: u64) -> Result<JournalEnd, Error> {
        walk::seek(self, from, to, sequence).map_err(|bad| self.error(bad))
    }

    /// Finds the end of the journal: reads all frames from `from` on, and decides whether the first bad frame is torn or damaged.
    /// `durable` is the number of bytes that the caller knows to be on the disk; 0 if unknown. The file is not changed.
    ///
    /// A writer may append or cut in the meantime: then its last frame may look torn.
    ///
    /// # Errors
    /// [`Error::Damaged`] if a frame is damaged, or if the file ends before `from` or `durable`. [`Error::Read`].
    pub fn recover(&self, from: JournalEnd, durable: u64) -> Result<Recovered, Error> {
        recovery::recover(self, from, durable)
    }

    /// Whether the last frame before byte `end.at` ends there, with the chain value of `end`. This value depends on all frames before it,
    /// so a file with other frames has another one. Reads about as much as this frame, and checks its head only.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the file ends before `end`. [`Error::Read`].
    pub fn ends_with(&self, end: JournalEnd) -> Result<bool, Error> {
        recovery::ends_with(self, end)
    }

    /// The bytes in `range`, without a check. They are copied if the journal grows.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the file ends before the range does. [`Error::Read`].
    pub fn bytes(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, Error> {
        let at = range.start;
        match self.bytes.read(range).map_err(Error::read(&self.path))? {
            Some(bytes) => Ok(bytes),
            None => Err(self.damaged(at, "the file ends before these bytes")),
        }
    }

    /// Tells the system that `range` will be read soon, so that it can read it ahead. The range may go beyond the end. Without
    /// effect on bytes of a journal that grows, unless they are mapped.
    pub fn expect(&self, range: Range<u64>) {
        self.bytes.expect(range);
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the error for damage at byte `at`: `what` says what is wrong.
    pub fn damaged(&self, at: u64, what: &'static str) -> Error {
        Error::Damaged { path: self.path.clone(), at, what }
    }

    fn error(&self, bad: BadFrame) -> Error {
        let at = bad.at;
        match bad.what() {
            Ok(what) => self.damaged(at, what),
            Err(source) => Error::read(&self.path)(source),
        }
    }
}
