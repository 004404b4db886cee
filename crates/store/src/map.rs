//! Files as memory.

use memmap2::{Advice, Mmap};
use std::{
    fs::File,
    ops::{Deref, Range},
    path::Path,
};

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

    /// The same, to be read here and there: the system reads no more than is asked for. (Otherwise it may read megabytes around the
    /// first byte that is touched.)
    pub(crate) fn sparse(path: &Path) -> Result<Self, Error> {
        let map = Self::new(path)?;
        // It is only advice.
        let _ = map.0.as_ref().map(|map| map.advise(Advice::Random));
        Ok(map)
    }

    /// Tells the system that `range` will be read soon, of which some may be beyond the end: it begins to, and nobody waits. Pages that
    /// are touched one after the other are waited for one after the other.
    pub(crate) fn expect(&self, range: Range<usize>) {
        let end = range.end.min(self.len());
        if range.start < end {
            // It is only advice.
            let advise = |map: &Mmap| map.advise_range(Advice::WillNeed, range.start, end - range.start);
            let _ = self.0.as_ref().map(advise);
        }
    }
}

impl Deref for Map {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }
}
