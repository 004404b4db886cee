//! Code that depends on the operating system. Each part has a twin for other systems, and is chosen here.

#[cfg(unix)]
pub(crate) use by_number::FileIdentity;
#[cfg(not(unix))]
pub(crate) use by_path::FileIdentity;

/// Identifies files by device and number. Hard links, and names that differ only in case where the file system ignores it, lead
/// to one file.
#[cfg(unix)]
mod by_number {
    use std::fs;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    /// Device, and number on it. Two paths of one file have the same.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) struct FileIdentity(u64, u64);

    impl FileIdentity {
        /// Identifies an existing file. `None` for folders, and for devices such as `/dev/null`, which several outputs may
        /// share.
        pub(crate) fn of(path: &Path) -> Option<Self> {
            let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
            Some(FileIdentity(metadata.dev(), metadata.ino()))
        }
    }
}

/// Identifies files by the path that all links lead to. Two hard links of one file are different files here. Outputs are renamed to
/// their places, so the other hard link keeps its content.
#[cfg(any(not(unix), test))]
mod by_path {
    #![cfg_attr(unix, allow(dead_code, reason = "only tests use it where files have numbers"))]

    use std::fs;
    use std::path::{Path, PathBuf};

    /// The path without links.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) struct FileIdentity(PathBuf);

    impl FileIdentity {
        /// Identifies an existing file. `None` for folders and devices.
        pub(crate) fn of(path: &Path) -> Option<Self> {
            fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
            path.canonicalize().ok().map(FileIdentity)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// The same for all ways to identify files: paths of one file are equal, others are not.
    fn check<I: PartialEq + std::fmt::Debug>(of: impl Fn(&Path) -> Option<I>) {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir(path("in")).unwrap();
        std::fs::write(path("in/a"), "").unwrap();
        std::fs::write(path("in/b"), "").unwrap();
        assert_eq!(of(&path("in/a")), of(&path("in/../in/a")));
        assert_ne!(of(&path("in/a")), of(&path("in/b")));
        assert!(of(&path("in/a")).is_some() && of(&path("in")).is_none() && of(&path("none")).is_none());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(path("in/a"), path("link")).unwrap();
            assert_eq!(of(&path("link")), of(&path("in/a")));
        }
    }

    #[test]
    fn two_paths_of_a_file_have_one_identity() {
        check(FileIdentity::of);
        check(by_path::FileIdentity::of);
    }
}
