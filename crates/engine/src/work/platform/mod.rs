//! Everything that differs between operating systems.

#[cfg(unix)]
mod memory;

pub(crate) use system::{
    anonymous_memory, create_private_folder, free_bytes, limits, machine_memory, peak_memory,
};

#[cfg(unix)]
mod system {
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
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix(key))?;
        let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kibibytes * 1024)
    }
}

#[cfg(not(unix))]
mod system {
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
}
