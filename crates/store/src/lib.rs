//! Checked files: what a run puts on disk, and an index lasts in.
//!
//! One container for everything. A file says what it is, and whose; behind that come records of one or more parts. Every byte of
//! it is under a checksum, which is looked at when a part is asked for, or a column opened: nothing that is damaged, cut off or of another kind is
//! ever taken for data. Numbers are little-endian, and parts are aligned to eight bytes, so that a file that is mapped can be
//! used as it is.
//!
//! Nothing is synced to the disk unless that is asked for: what the machine loses when it stops does not add up, and is told as damage.
//!
//! Not for: knowing what a document is. Nor for files of others; that is `corpus`.

mod column;
mod error;
mod header;
mod log;
mod map;

pub use column::{Column, ColumnWriter, MappedColumn};
pub use error::Error;
pub use header::Kind;
pub use log::{Found, Log, LogWriter, Record, bytes_of};

#[cfg(not(target_endian = "little"))]
compile_error!("the files of Lookalike are little-endian, and used as they are");
