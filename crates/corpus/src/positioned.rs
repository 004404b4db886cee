use std::{
    fs::File,
    io::{self, Read},
    os::unix::fs::FileExt,
    sync::Arc,
};

/// Reads a shared file from a position of its own, so that several can read one file at once.
#[derive(Debug, Clone)]
pub(crate) struct Positioned {
    file: Arc<File>,
    position: u64,
}

impl Positioned {
    pub(crate) fn new(file: Arc<File>) -> Positioned {
        Positioned::at(file, 0)
    }

    pub(crate) fn at(file: Arc<File>, position: u64) -> Positioned {
        Positioned { file, position }
    }
}

impl Read for Positioned {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.file.read_at(buffer, self.position)?;
        self.position += length as u64;
        Ok(length)
    }
}
