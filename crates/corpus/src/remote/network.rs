//! What a program needs to know of files behind a network.

use std::path::Path;

/// Is it the name of a file behind a network, such as `s3://bucket/key`?
pub fn is_remote(path: &Path) -> bool {
    super::is_remote(path)
}

/// Waits until uploads that were left incomplete are taken back, a few seconds at most; to be called before the program
/// ends.
pub fn settle() {
    #[cfg(feature = "remote")]
    super::upload::settle();
}
