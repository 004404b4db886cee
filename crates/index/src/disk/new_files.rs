//! Files that are written, and not part of the index yet.

use std::fs;
use std::path::PathBuf;

/// Files that are removed on drop, unless they are kept.
#[derive(Debug, Default)]
pub(crate) struct NewFiles(Vec<PathBuf>);

impl NewFiles {
    /// Adds the file at `path`, and returns this path.
    pub(crate) fn add(&mut self, path: PathBuf) -> PathBuf {
        self.0.push(path.clone());
        path
    }

    /// Drops the files of `before` too, but none of the `named` ones.
    pub(crate) fn replace(&mut self, before: impl Iterator<Item = PathBuf>, named: &[PathBuf]) {
        self.0.extend(before);
        self.0.retain(|path| !named.contains(path));
    }

    /// Keeps them.
    pub(crate) fn keep(mut self) {
        self.0.clear();
    }
}

impl Drop for NewFiles {
    fn drop(&mut self) {
        for path in &self.0 {
            // A file that cannot be removed now is removed when the index is opened to be added to.
            let _ = fs::remove_file(path);
        }
    }
}
