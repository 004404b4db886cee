//! Recognising two names of the same file.

use std::{
    fs::{self, Metadata},
    path::{Path, PathBuf},
};

use super::InputFile;
use crate::{platform::FileIdentity, remote::is_remote};

/// A value that is equal for two names of the same file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Identity {
    Local(FileIdentity),
    /// A member of a container, by its name.
    Member(Box<Identity>, String),
    /// Standard input, which only a second `-` is equal to.
    StandardInput,
    /// The name. It is all that is known of an object behind a network.
    Remote(PathBuf),
}

impl FileIdentity {
    /// The identity of the file at a path. `None` for folders, for devices such as `/dev/null`, which several outputs may share,
    /// and if there is no file.
    pub fn of_file(path: &Path) -> Option<FileIdentity> {
        let metadata = fs::metadata(path).ok().filter(Metadata::is_file)?;
        Some(FileIdentity::of(path, &metadata))
    }
}

impl Identity {
    pub(super) fn of(path: &Path, metadata: &Metadata) -> Identity {
        Identity::Local(FileIdentity::of(path, metadata))
    }

    /// The identity of a file of some inputs; `None` if it is no longer there.
    pub(super) fn of_file(file: &InputFile) -> Option<Identity> {
        match file.member() {
            Some(member) => Some(Identity::Member(Box::new(Identity::at(&file.path)?), member.to_owned())),
            None => Identity::at(&file.path),
        }
    }

    /// The identity of the file at a path; `None` if there is none. Behind a network, the object need not exist.
    pub(crate) fn at(path: &Path) -> Option<Identity> {
        match is_remote(path) {
            true => Some(Identity::Remote(path.to_owned())),
            false => fs::metadata(path).ok().map(|metadata| Identity::of(path, &metadata)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_that_are_there_have_an_identity() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a"), "").unwrap();
        fs::write(path("b"), "").unwrap();
        assert!(FileIdentity::of_file(&path("a")).is_some());
        assert_eq!(FileIdentity::of_file(&path("a")), FileIdentity::of_file(&path("../").join(path("a"))));
        assert_ne!(FileIdentity::of_file(&path("a")), FileIdentity::of_file(&path("b")));
        assert_eq!(FileIdentity::of_file(&path("none")), None);
        assert_eq!(FileIdentity::of_file(folder.path()), None);
        #[cfg(unix)]
        assert_eq!(FileIdentity::of_file(Path::new("/dev/null")), None);
    }
}
