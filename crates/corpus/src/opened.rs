//! A file that was opened, here or behind a network: it has a length and can be read at any place, by several at once.

use std::{
    fs::File,
    io::{self, Read},
    os::unix::fs::FileExt,
    path::Path,
    sync::Arc,
};

use crate::{
    Error,
    remote::{self, Object, Sequence, Windows},
};

/// A file that was opened.
#[derive(Debug, Clone)]
pub(crate) enum Opened {
    /// A file of this machine.
    Local(Arc<File>),
    /// An object behind a network. Nothing is asked of the server before it is read.
    Remote(Object),
}

impl Opened {
    /// Fills the buffer from a place of the file.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] if the file ends before; else those of reading.
    pub(crate) fn read_exact_at(&self, buffer: &mut [u8], position: u64) -> io::Result<()> {
        match self {
            Opened::Local(file) => file.read_exact_at(buffer, position),
            Opened::Remote(object) => object.read_exact_at(buffer, position),
        }
    }

    /// Reads from the start of the file to its end.
    pub(crate) fn reader(&self) -> Positioned {
        self.reader_at(0)
    }

    /// The same from another place.
    pub(crate) fn reader_at(&self, position: u64) -> Positioned {
        match self {
            Opened::Local(file) => Positioned::Local { file: Arc::clone(file), position },
            Opened::Remote(object) => Positioned::Remote(Box::new(Sequence::at(object, position))),
        }
    }
}

/// Reads an opened file from a position of its own, so that several can read one file at once.
#[derive(Debug)]
pub(crate) enum Positioned {
    Local {
        file: Arc<File>,
        position: u64,
    },
    Remote(Box<Sequence>),
    #[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "only Parquet is read in windows"))]
    Windows {
        windows: Windows,
        position: u64,
    },
}

impl Read for Positioned {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Positioned::Local { file, position } => {
                let length = file.read_at(buffer, *position)?;
                *position += length as u64;
                Ok(length)
            }
            Positioned::Remote(sequence) => sequence.read(buffer),
            Positioned::Windows { windows, position } => {
                let bytes = windows.read(*position, 1)?;
                let length = buffer.len().min(bytes.len());
                buffer[..length].copy_from_slice(&bytes[..length]);
                *position += length as u64;
                Ok(length)
            }
        }
    }
}

/// Was it reading that failed, of the disk or the network, and not the decoder that did not like what was read?
pub(crate) fn is_of_reading(error: &io::Error) -> bool {
    error.raw_os_error().is_some() || remote::is_failure(error)
}

/// What to say when a file cannot be read.
pub(crate) fn read_error(path: &Path, source: io::Error) -> Error {
    match remote::is_change(&source) {
        true => Error::Changed { path: path.to_owned() },
        false => Error::Read { path: path.to_owned(), source },
    }
}
