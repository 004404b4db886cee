//! Which names lead to the same file.

use std::{
    fs::{self, Metadata},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use crate::remote::is_remote;

/// What two names have in common that lead to one file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Identity {
    /// Device and inode.
    Local(u64, u64),
    /// Behind a network the name is all that there is.
    Remote(PathBuf),
}

impl Identity {
    pub(super) fn of(metadata: &Metadata) -> Identity {
        Identity::Local(metadata.dev(), metadata.ino())
    }

    /// The identity of what is, or, behind a network, would be at a path; `None` if nothing is there.
    pub(crate) fn at(path: &Path) -> Option<Identity> {
        match is_remote(path) {
            true => Some(Identity::Remote(path.to_owned())),
            false => fs::metadata(path).ok().map(|metadata| Identity::of(&metadata)),
        }
    }
}
