#![cfg_attr(unix, allow(dead_code, unreachable_pub, reason = "only tests use it on Unix"))]

use std::{
    env,
    fs::{self, File, Metadata},
    io,
    path::{Path, PathBuf},
};

use super::Previous;

/// Identifies an existing file by the path that all links lead to. Two hard links of one file are different files here. Outputs are
/// renamed to their places, so the other hard link keeps its content.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FileIdentity(PathBuf);

impl FileIdentity {
    /// The identity of the file at a path, which has this metadata.
    pub(crate) fn of(path: &Path, _metadata: &Metadata) -> FileIdentity {
        FileIdentity(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()))
    }
}

/// Reads bytes from a position of the file, and returns how many. Several threads can do this at once.
#[cfg(windows)]
pub(crate) fn read_at(file: &File, buffer: &mut [u8], position: u64) -> io::Result<usize> {
    use std::os::windows::fs::FileExt;
    match file.seek_read(buffer, position) {
        // ERROR_HANDLE_EOF: the position is behind the end of the file.
        Err(error) if error.raw_os_error() == Some(38) => Ok(0),
        read => read,
    }
}

/// Reads bytes from a position of the file, and returns how many. Several threads can do this at once, and take turns.
#[cfg(not(windows))]
pub(crate) fn read_at(mut file: &File, buffer: &mut [u8], position: u64) -> io::Result<usize> {
    use std::{
        io::{Read, Seek, SeekFrom},
        sync::{Mutex, PoisonError},
    };
    // All readers of a file share its cursor.
    static CURSOR: Mutex<()> = Mutex::new(());
    let _turn = CURSOR.lock().unwrap_or_else(PoisonError::into_inner);
    file.seek(SeekFrom::Start(position))?;
    file.read(buffer)
}

/// Does nothing: a new file has the permissions that its folder passes on.
pub(crate) fn allow_others_to_read<'b, 'p, 's>(
    builder: &'b mut tempfile::Builder<'p, 's>,
) -> &'b mut tempfile::Builder<'p, 's> {
    builder
}

/// Whether another process has removed an open file, which was at this path.
pub(crate) fn is_removed(_file: &File, path: &Path) -> bool {
    fs::symlink_metadata(path).is_err()
}

/// Values that differ from machine to machine, as far as the system gives them.
pub(crate) fn machine() -> [Vec<u8>; 2] {
    ["COMPUTERNAME", "HOSTNAME"]
        .map(|name| env::var_os(name).unwrap_or_default().as_encoded_bytes().to_owned())
}

/// Standard output as a file, without the buffer of [`io::stdout`].
#[cfg(windows)]
pub(crate) fn standard_output() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    io::stdout().as_handle().try_clone_to_owned().map(File::from)
}

/// An error: this system has no standard output that can be written as a file.
#[cfg(not(windows))]
pub(crate) fn standard_output() -> io::Result<File> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this system writes to files only"))
}

/// Does nothing: other systems do not open folders as files, and write their names to the disk by themselves.
pub(crate) fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// Gives the file `from` the name `to`. This system cannot exchange two files.
pub(crate) fn rename_with_way_back(from: &Path, to: &Path) -> io::Result<Previous> {
    super::rename_over(from, to)
}
