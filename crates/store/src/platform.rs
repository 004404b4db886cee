//! All code that depends on the operating system: advice about mapped files.

use memmap2::Mmap;
use std::ops::Range;

/// Advises the system to read few pages around an accessed byte. This is advice only, so a failure is ignored.
#[cfg(unix)]
pub(crate) fn expect_scattered_reads(map: &Mmap) {
    let _ = map.advise(memmap2::Advice::Random);
}

/// Advises the system to read a range ahead. This is advice only, so a failure is ignored.
#[cfg(unix)]
pub(crate) fn expect_read_of(map: &Mmap, range: Range<usize>) {
    let _ = map.advise_range(memmap2::Advice::WillNeed, range.start, range.len());
}

/// Does nothing: other systems take no such advice.
#[cfg(not(unix))]
pub(crate) fn expect_scattered_reads(_map: &Mmap) {}

/// Does nothing: other systems take no such advice.
#[cfg(not(unix))]
pub(crate) fn expect_read_of(_map: &Mmap, _range: Range<usize>) {}
