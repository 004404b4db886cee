//! Everything that differs between operating systems.

use std::io;
use std::path::Path;

/// Waits until the names of the files in `folder` are on the disk.
#[cfg(unix)]
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    std::fs::File::open(folder)?.sync_all()
}

/// Does nothing: other systems do not open folders as files, and write their names to the disk by themselves.
#[cfg(not(unix))]
pub(crate) fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}
