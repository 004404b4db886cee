//! Recognising two names of the same file.

use std::{
    fs::{self, Metadata},
    path::{Path, PathBuf},
};

use crate::{platform::FileIdentity, remote::is_remote};

/// A value that is equal for two names of the same file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Identity {
    Local(FileIdentity),
    /// Standard input, which only a second `-` is equal to.
    StandardInput,
    /// The name. It is all that is known of an object behind a network.
    Remote(PathBuf),
}

impl Identity {
    pub(super) fn of(path: &Path, metadata: &Metadata) -> Identity {
        Identity::Local(FileIdentity::of(path, metadata))
    }

    /// The identity of the file at a path; `None` if there is none. Behind a network, the object need not exist.
    pub(crate) fn at(path: &Path) -> Option<Identity> {
        match is_remote(path) {
            true => Some(Identity::Remote(path.to_owned())),
            false => fs::metadata(path).ok().map(|metadata| Identity::of(path, &metadata)),
        }
    }
}
