//! Functions for programs that work with remote files.

use std::path::Path;

/// Whether the path is the name of a remote file, such as `s3://bucket/key`.
pub fn is_remote(path: &Path) -> bool {
    super::is_remote(path)
}

/// Waits until unfinished uploads are aborted, for a few seconds at most. A program should call this before it ends.
pub fn settle() {
    #[cfg(feature = "remote")]
    super::upload::settle();
}
