use std::{
    fs::{self, File, Metadata, Permissions},
    io,
    os::{
        fd::AsFd,
        unix::fs::{FileExt, MetadataExt, PermissionsExt},
    },
    path::Path,
};

use super::Previous;

/// Identifies an existing file by device and inode: two names of one file have the same identity. Hard links of one file do,
/// and so do names that differ only in case where the file system ignores it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FileIdentity(u64, u64);

impl FileIdentity {
    /// The identity of the file at a path, which has this metadata.
    pub(crate) fn of(_path: &Path, metadata: &Metadata) -> FileIdentity {
        FileIdentity(metadata.dev(), metadata.ino())
    }
}

/// Reads bytes from a position of the file, and returns how many. Several threads can do this at once.
pub(crate) fn read_at(file: &File, buffer: &mut [u8], position: u64) -> io::Result<usize> {
    file.read_at(buffer, position)
}

/// Gives a temporary file the default permissions of a new file, reduced by the umask. The library's own default is stricter.
pub(crate) fn allow_others_to_read<'b, 'p, 's>(
    builder: &'b mut tempfile::Builder<'p, 's>,
) -> &'b mut tempfile::Builder<'p, 's> {
    builder.permissions(Permissions::from_mode(0o666))
}

/// Whether another process has removed an open file, which was at this path.
pub(crate) fn is_removed(file: &File, _path: &Path) -> bool {
    !file.metadata().is_ok_and(|metadata| metadata.nlink() > 0)
}

/// Values that differ from machine to machine, as far as the system gives them.
pub(crate) fn machine() -> [Vec<u8>; 2] {
    ["/proc/sys/kernel/hostname", "/etc/machine-id"].map(|path| fs::read(path).unwrap_or_default())
}

/// Standard output as a file, without the buffer of [`io::stdout`].
pub(crate) fn standard_output() -> io::Result<File> {
    io::stdout().as_fd().try_clone_to_owned().map(File::from)
}

/// Waits until the names of the files in `folder` are on the disk.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Gives the file `from` the name `to` atomically. A file that has that name is exchanged with `from`, if the file system can do this.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(crate) fn rename_with_way_back(from: &Path, to: &Path) -> io::Result<Previous> {
    use rustix::{
        fs::{CWD, RenameFlags, renameat_with},
        io::Errno,
    };
    let rename = |flags| renameat_with(CWD, from, CWD, to, flags);
    let renamed = match rename(RenameFlags::NOREPLACE) {
        Err(Errno::EXIST) if fs::symlink_metadata(to).is_ok_and(|there| there.is_dir()) => {
            return Err(Errno::ISDIR.into());
        }
        Err(Errno::EXIST) => rename(RenameFlags::EXCHANGE).map(|()| Previous::Exchanged),
        renamed => renamed.map(|()| Previous::Nothing),
    };
    match renamed {
        // Some file systems cannot do this.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => super::rename_over(from, to),
        renamed => Ok(renamed?),
    }
}

/// Gives the file `from` the name `to` atomically. This system cannot exchange two files.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(crate) fn rename_with_way_back(from: &Path, to: &Path) -> io::Result<Previous> {
    super::rename_over(from, to)
}
