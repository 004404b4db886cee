//! Checked files: the files that a run keeps on disk, and the files of an index.
//!
//! All files have one container format. The header names the kind of file, the version of the format and the owner. Every byte
//! is under a checksum, which is verified when a part or a frame is read, or a column is opened. Data that is damaged, cut off or
//! of another kind is therefore never used. Numbers are little-endian. There are three contents:
//!
//! - A [`Log`] has records of one or more parts. Parts are aligned to eight bytes, so a mapped file can be used without a copy.
//! - A [`Column`] is one long list of values.
//! - A [`Journal`] has chained frames, which are written one at a time by a process that may be killed at any moment.
//!
//! Files are synced to the disk only when the caller asks for it. Data of a log or column that is lost when the machine stops is
//! reported as damage. A journal ends before a frame whose write was not finished, and reports a frame that changed later as
//! damage.
//!
//! Not for: knowing what a document is, or reading other programs' files (that is `corpus`).

mod column;
mod error;
mod header;
mod journal;
mod log;
mod map;
mod paged;
mod platform;

pub use column::{Column, ColumnWriter, MappedColumn};
pub use error::Error;
pub use header::{ContainerKind, starts_as};
pub use journal::{FRAME_HEAD_BYTES, Frame, Journal, JournalEnd, JournalWriter, Recovered};
pub use log::{Log, LogWriter, StoredRecord, bytes_of};
pub use paged::{PagedFile, PagedSummary, PagedWriter};

#[cfg(not(target_endian = "little"))]
compile_error!("the files of Lookalike are little-endian, and used as they are");
