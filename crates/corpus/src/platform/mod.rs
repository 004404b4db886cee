//! All code that depends on the operating system. Each function has a twin for other systems, and is chosen here.

#[cfg(any(not(unix), test))]
mod other;
#[cfg(unix)]
mod unix;

use std::{fs, io, path::Path};

#[cfg(not(unix))]
pub use self::other::FileIdentity;
#[cfg(not(unix))]
pub(crate) use self::other::{
    allow_others_to_read, is_removed, machine, read_at, rename_with_way_back, standard_output, sync_folder,
};
#[cfg(unix)]
pub use self::unix::FileIdentity;
#[cfg(unix)]
pub(crate) use self::unix::{
    allow_others_to_read, is_removed, machine, read_at, rename_with_way_back, standard_output, sync_folder,
};

/// Where the file is that had a name before another file got it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Previous {
    /// No file had the name.
    Nothing,
    /// The file is now where the other one was.
    Exchanged,
    /// Any file that had the name was replaced, and is lost.
    Gone,
}

/// Fills the buffer from a position of the file. Several threads can do this at once.
///
/// # Errors
/// [`io::ErrorKind::UnexpectedEof`] if the file ends before the buffer is full, and the errors of reading.
pub(crate) fn read_exact_at(file: &fs::File, mut buffer: &mut [u8], mut position: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match read_at(file, buffer, position) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(length) => {
                buffer = &mut buffer[length..];
                position += length as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Renames a file on a system, or a file system, that cannot exchange two files.
fn rename_over(from: &Path, to: &Path) -> io::Result<Previous> {
    let is_there = fs::symlink_metadata(to).is_ok();
    fs::rename(from, to)?;
    Ok(if is_there { Previous::Gone } else { Previous::Nothing })
}

#[cfg(test)]
mod tests;
