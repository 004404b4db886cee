use std::{fs::File, io, os::unix::fs::FileExt, sync::Arc};

use bytes::Bytes;
use parquet::{
    errors::{ParquetError, Result},
    file::reader::{ChunkReader, Length},
};

use crate::positioned::Positioned;

/// A file for the Parquet decoder. Unlike `File` it has no shared cursor, so that row groups can be decoded at once.
#[derive(Debug, Clone)]
pub(super) struct SharedFile {
    pub(super) file: Arc<File>,
    pub(super) length: u64,
}

impl Length for SharedFile {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for SharedFile {
    type T = io::BufReader<Positioned>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(io::BufReader::new(Positioned::at(Arc::clone(&self.file), start)))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        // A broken file may claim any length; do not ask for memory that the file cannot fill.
        if start.checked_add(length as u64).is_none_or(|end| end > self.length) {
            return Err(ParquetError::EOF(format!(
                "{length} bytes at {start} are beyond the end of the file"
            )));
        }
        let mut bytes = vec![0; length];
        self.file.read_exact_at(&mut bytes, start)?;
        Ok(bytes.into())
    }
}
