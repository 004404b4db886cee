//! The disk and the memory of a process, by the calls of Unix, and by what Linux says in `/proc`.

use super::memory::kibibytes;
pub(crate) use super::memory::{limits, machine_memory};
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

/// Makes a folder, and those above it, that only this user may read.
pub(crate) fn create_private_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// The bytes that are free on the disk of a folder, or `None` if the system does not say.
pub(crate) fn free_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail * disk.f_frsize)
}

/// The most memory that this process has held at once, in bytes, with files that are mapped. Only Linux says it.
pub(crate) fn peak_memory() -> Option<u64> {
    status("VmHWM:")
}

/// The memory that this process holds now, in bytes, without files that are mapped. Only Linux says it.
pub(crate) fn anonymous_memory() -> Option<u64> {
    status("RssAnon:")
}

/// A figure of the system about this process.
fn status(key: &str) -> Option<u64> {
    kibibytes(&fs::read_to_string("/proc/self/status").ok()?, key)
}
