//! Recognising two names of the same file.

use std::{
    fs::{self, Metadata},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use crate::remote::is_remote;

/// A value that is equal for two names of the same file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Identity {
    /// Device and inode.
    Local(u64, u64),
    /// The name. It is all that is known of an object behind a network.
    Remote(PathBuf),
}

impl Identity {
    pub(super) fn of(metadata: &Metadata) -> Identity {
        Identity::Local(metadata.dev(), metadata.ino())
    }

    /// The identity of the file at a path; `None` if there is none. Behind a network, the object need not exist.
    pub(crate) fn at(path: &Path) -> Option<Identity> {
        match is_remote(path) {
            true => Some(Identity::Remote(path.to_owned())),
            false => fs::metadata(path).ok().map(|metadata| Identity::of(&metadata)),
        }
    }
}
