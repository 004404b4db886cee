//! Why a file cannot be used.

use std::{
    io,
    path::{Path, PathBuf},
};

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is no file of Lookalike, or another one.
    #[error("{}: not {expected} of Lookalike", path.display())]
    OtherKind {
        /// The file.
        path: PathBuf,
        /// What was expected.
        expected: &'static str,
    },
    /// It was written by a program with other files.
    #[error("{}: written in version {found} of the format; this program reads version {}", path.display(), crate::header::VERSION)]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// The version of its format.
        found: u32,
    },
    /// It belongs to something else.
    #[error("{}: belongs to {found:016x}, not to {expected:016x}", path.display())]
    OtherOwner {
        /// The file.
        path: PathBuf,
        /// What it belongs to.
        found: u64,
        /// What it should belong to.
        expected: u64,
    },
    /// Its bytes are not those that were written.
    #[error("{}: damaged at byte {at}: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the record starts that is damaged.
        at: u64,
        /// What is wrong.
        what: &'static str,
    },
}

impl Error {
    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::Read { path: path.to_owned(), source }
    }

    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::Write { path: path.to_owned(), source }
    }

    /// Are the bytes wrong, whatever the reason?
    pub fn is_damage(&self) -> bool {
        matches!(self, Error::Damaged { .. } | Error::OtherKind { .. })
    }
}
