//! Open files, local or remote. An open file has a known length, and several threads can read it at any position.

use std::{
    fs::File,
    io::{self, Read},
    ops::Range,
    sync::Arc,
};

use crate::{
    platform,
    remote::{self, Object, Sequence, Windows},
};

/// An open file.
#[derive(Debug, Clone)]
pub(crate) enum Opened {
    /// A local file.
    Local(Arc<File>),
    /// A part of a local file, such as a member of a zip file.
    Range { file: Arc<File>, range: Range<u64> },
    /// A remote object. No request is sent before it is read.
    Remote(Object),
}

impl Opened {
    /// Fills the buffer from a position of the file.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] if the file ends before the buffer is full, and the errors of reading.
    pub(crate) fn read_exact_at(&self, buffer: &mut [u8], position: u64) -> io::Result<()> {
        match self {
            Opened::Local(file) => platform::read_exact_at(file, buffer, position),
            Opened::Range { file, range } => {
                let end =
                    position.checked_add(buffer.len() as u64).and_then(|end| end.checked_add(range.start));
                match end.is_some_and(|end| end <= range.end) {
                    true => platform::read_exact_at(file, buffer, range.start + position),
                    false => Err(io::ErrorKind::UnexpectedEof.into()),
                }
            }
            Opened::Remote(object) => object.read_exact_at(buffer, position),
        }
    }

    /// Reads the file from its start to its end.
    pub(crate) fn reader(&self) -> Positioned {
        self.reader_at(0)
    }

    /// Reads the file from a position to its end.
    pub(crate) fn reader_at(&self, position: u64) -> Positioned {
        match self {
            Opened::Local(file) => Positioned::Local { file: Arc::clone(file), position },
            Opened::Range { file, range } => {
                let rest = range.start.saturating_add(position).min(range.end)..range.end;
                Positioned::Range { file: Arc::clone(file), rest }
            }
            Opened::Remote(object) => Positioned::Remote(Box::new(Sequence::at(object, position))),
        }
    }
}

/// A reader with its own position in an open file, so that several can read one file at once.
#[derive(Debug)]
pub(crate) enum Positioned {
    Local {
        file: Arc<File>,
        position: u64,
    },
    Range {
        file: Arc<File>,
        rest: Range<u64>,
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
                let length = platform::read_at(file, buffer, *position)?;
                *position += length as u64;
                Ok(length)
            }
            Positioned::Range { file, rest } => {
                let most = buffer.len().min(usize::try_from(rest.end - rest.start).unwrap_or(usize::MAX));
                let length = platform::read_at(file, &mut buffer[..most], rest.start)?;
                rest.start += length as u64;
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

/// Whether reading from the disk or network failed, rather than decoding the bytes.
pub(crate) fn is_of_reading(error: &io::Error) -> bool {
    error.raw_os_error().is_some() || remote::is_failure(error)
}
