//! The errors of files that cannot be used.

use std::{
    io,
    path::{Path, PathBuf},
};

/// The reason why a file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// It cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// It is not a file of Lookalike, or it is a file of another kind.
    #[error("{}: not {expected} of Lookalike", path.display())]
    OtherKind {
        /// The file.
        path: PathBuf,
        /// The expected kind, with an article.
        expected: &'static str,
    },
    /// It was written in another version of the format.
    #[error("{}: written in version {found} of the format; this program reads version {}", path.display(), crate::header::VERSION)]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// The version of its format.
        found: u32,
    },
    /// It belongs to another owner, such as another run.
    #[error("{}: belongs to {found:016x}, not to {expected:016x}", path.display())]
    OtherOwner {
        /// The file.
        path: PathBuf,
        /// The owner in its header.
        found: u64,
        /// The owner that was expected.
        expected: u64,
    },
    /// Its bytes have changed since they were written.
    #[error("{}: damaged at byte {at}: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The byte at which the damaged record starts.
        at: u64,
        /// A description of the damage.
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

    /// Whether the bytes themselves are wrong: the file is damaged, or of another kind.
    pub fn is_damage(&self) -> bool {
        matches!(self, Error::Damaged { .. } | Error::OtherKind { .. })
    }
}
