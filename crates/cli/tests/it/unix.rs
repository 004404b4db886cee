//! Files that only Unix can make.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

pub(crate) use std::os::unix::fs::symlink;

/// A path of any bytes, which need not be UTF-8.
pub(crate) fn path_of(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}
