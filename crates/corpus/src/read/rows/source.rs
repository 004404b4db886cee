use std::{io, ops::Range};

use bytes::Bytes;
use parquet::{
    errors::{ParquetError, Result},
    file::reader::{ChunkReader, Length},
};

use crate::{
    opened::{Opened, Positioned},
    remote::Windows,
};

/// A file for the Parquet decoder. Unlike `File` it has no shared cursor, so several row groups can be decoded at once.
#[derive(Debug, Clone)]
pub(super) struct SharedFile {
    file: Opened,
    length: u64,
    /// Buffered ranges of a remote file. Without them, each piece that the decoder reads would be a request.
    windows: Option<Windows>,
}

impl SharedFile {
    pub(super) fn new(file: Opened, length: u64) -> SharedFile {
        SharedFile { file, length, windows: None }.for_ranges(Vec::new())
    }

    /// The same file for reading from these ranges. Each range is read from its start to its end.
    pub(super) fn for_ranges(&self, ranges: Vec<Range<u64>>) -> SharedFile {
        let windows = match &self.file {
            Opened::Local(_) | Opened::Range { .. } => None,
            Opened::Remote(object) => Some(Windows::of(object, ranges)),
        };
        SharedFile { file: self.file.clone(), length: self.length, windows }
    }

    /// The failure of the network, which the decoder reports in words of its own.
    pub(super) fn take_failure(&self) -> Option<io::Error> {
        self.windows.as_ref().and_then(Windows::take_failure)
    }
}

impl Length for SharedFile {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for SharedFile {
    type T = io::BufReader<Positioned>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(io::BufReader::new(match &self.windows {
            Some(windows) => Positioned::Windows { windows: windows.clone(), position: start },
            None => self.file.reader_at(start),
        }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        // A broken file may claim any length. Memory is not allocated for more bytes than the file has.
        if start.checked_add(length as u64).is_none_or(|end| end > self.length) {
            return Err(ParquetError::EOF(format!(
                "{length} bytes at {start} are beyond the end of the file"
            )));
        }
        if let Some(windows) = &self.windows {
            let mut bytes = windows.read(start, length)?;
            bytes.truncate(length);
            return Ok(bytes);
        }
        let mut bytes = vec![0; length];
        self.file.read_exact_at(&mut bytes, start)?;
        Ok(bytes.into())
    }
}
