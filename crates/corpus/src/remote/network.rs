//! Functions for programs that work with remote files.

use std::path::Path;

/// Whether the path is the name of a remote file, such as `s3://bucket/key`.
pub fn is_remote(path: &Path) -> bool {
    super::is_remote(path)
}

/// Whether the path is a name with a scheme, such as `s3://bucket/key` or `az://container/key`, and so no folder of this machine.
pub fn has_scheme(path: &Path) -> bool {
    super::is_remote(path) || super::other_scheme(&path.to_string_lossy()).is_some()
}

/// Waits until unfinished uploads are aborted, for a few seconds at most. A program should call this before it ends.
pub fn settle() {
    #[cfg(feature = "remote")]
    super::upload::settle();
}
