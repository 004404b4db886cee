//! Files mapped into memory.

use memmap2::{Mmap, MmapOptions};
use std::{
    fs::File,
    ops::{Deref, Range},
    path::Path,
};

use crate::{Error, platform};

/// The bytes of a mapped file, which are read when they are accessed. They are in the page cache, which the system takes back
/// when memory is short.
#[derive(Debug)]
pub(crate) struct Map(Option<Mmap>);

impl Map {
    pub(crate) fn new(path: &Path) -> Result<Self, Error> {
        let file = File::open(path).map_err(Error::read(path))?;
        let length = file.metadata().map_err(Error::read(path))?.len();
        if length == 0 {
            return Ok(Map(None));
        }
        Self::of_start(path, &file, length)
    }

    /// Maps the first `length` bytes of `file`, which is at `path`. The file must have so many, and keep them.
    pub(crate) fn of_start(path: &Path, file: &File, length: u64) -> Result<Self, Error> {
        let Some(length) = usize::try_from(length).ok().filter(|&length| length > 0) else {
            return Ok(Map(None));
        };
        // SAFETY: The file is Lookalike's own. It is complete when it is mapped, and later writes neither change nor shorten
        // the mapped bytes. If another program changes the file, any bytes are valid for `u8`, and the checksums find the
        // change.
        #[expect(unsafe_code, reason = "the only way to read a file as memory")]
        let map = unsafe { MmapOptions::new().len(length).map(file) }.map_err(Error::read(path))?;
        Ok(Map(Some(map)))
    }

    /// Maps a file for access at scattered places. The system then reads few pages around an accessed byte. Otherwise it may
    /// read megabytes.
    pub(crate) fn sparse(path: &Path) -> Result<Self, Error> {
        Ok(Self::new(path)?.for_scattered_reads())
    }

    /// The same map, for access at scattered places.
    pub(crate) fn for_scattered_reads(self) -> Self {
        self.0.as_ref().inspect(|map| platform::expect_scattered_reads(map));
        self
    }

    /// Tells the system that `range` will be read soon. The range may go beyond the end. The system reads ahead, and this call
    /// does not wait. Without it, the pages of the range are read one after the other as they are accessed.
    pub(crate) fn expect(&self, range: Range<usize>) {
        let end = range.end.min(self.len());
        if range.start < end {
            self.0.as_ref().inspect(|map| platform::expect_read_of(map, range.start..end));
        }
    }
}

impl Deref for Map {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }
}
