//! The nearest safe thing on systems that are not Unix: nothing is known of their memory and their disks.

use crate::work::limits::MemoryLimit;
use std::fs;
use std::io;
use std::path::Path;

/// Makes a folder, and those above it, with the permissions that the folder above them passes on.
pub(crate) fn create_private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// `None`: a run on this system is not refused because a disk is too small, and fails when the disk is full.
pub(crate) fn free_bytes(_folder: &Path) -> Option<u64> {
    None
}

/// `None`: summaries on this system have no peak of memory.
pub(crate) fn peak_memory() -> Option<u64> {
    None
}

/// `None`: summaries on this system have no peak of memory.
pub(crate) fn anonymous_memory() -> Option<u64> {
    None
}

/// `None`: a run on this system takes what it needs, unless it is told otherwise.
pub(crate) fn machine_memory() -> Option<u64> {
    None
}

/// No limit is known on this system.
pub(crate) fn limits(_threads: usize) -> impl Iterator<Item = MemoryLimit> {
    std::iter::empty()
}
