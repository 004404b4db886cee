//! Files as memory.

use memmap2::{Advice, Mmap};
use std::{fs::File, ops::Deref, path::Path};

use crate::Error;

/// The bytes of a file, read as they are touched. They are in the page cache, which the system takes back when memory is short.
#[derive(Debug)]
pub(crate) struct Map(Option<Mmap>);

impl Map {
    pub(crate) fn new(path: &Path) -> Result<Self, Error> {
        let file = File::open(path).map_err(Error::read(path))?;
        let length = file.metadata().map_err(Error::read(path))?.len();
        if length == 0 {
            return Ok(Map(None));
        }
        // SAFETY: The file is Lookalike's own: it is complete when it is mapped, and nothing that is written later changes or
        // shortens it. Of what somebody else does to it, memory safety asks only that bytes are bytes, and every part of it is
        // under a checksum.
        #[expect(unsafe_code, reason = "the only way to read a file as memory")]
        let map = unsafe { Mmap::map(&file) }.map_err(Error::read(path))?;
        Ok(Map(Some(map)))
    }

    /// Tells the system that it will be read here and there, so that it reads no more than is asked for.
    pub(crate) fn expect_random(&self) {
        // It is only advice.
        let _ = self.0.as_ref().map(|map| map.advise(Advice::Random));
    }
}

impl Deref for Map {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }
}
