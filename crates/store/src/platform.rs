//! All code that depends on the operating system: advice about mapped files, and reads at a place in a file.

use memmap2::Mmap;
use std::{fs::File, io, ops::Range};

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

/// Fills `bytes` from byte `at` of the file on. Several threads may read at once.
#[cfg(unix)]
pub(crate) fn read_exact_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

/// Fills `bytes` from byte `at` of the file on. Several threads may read at once: each read names its place, and the position of
/// the file, which it moves, is not used.
#[cfg(windows)]
pub(crate) fn read_exact_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, at) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                bytes = &mut bytes[read..];
                at += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Fails: other systems have no such read.
#[cfg(not(any(unix, windows)))]
pub(crate) fn read_exact_at(_file: &File, _bytes: &mut [u8], _at: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
