//! The places of outputs: none replaces another output, or a file that is read.

use crate::error::Error;
use crate::request::Job;
use lookalike_corpus::{FileIdentity, Inputs};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Refuses lists that would replace one another, an output or an input. The settings of `job` are one of the lists. The writer of kept
/// documents itself checks that outputs replace no input.
pub(crate) fn check_places(
    job: &Job,
    inputs: &Inputs,
    outputs: Vec<PathBuf>,
    lists: &[&Option<PathBuf>],
) -> Result<(), Error> {
    let settings = job.settings.as_ref().map(|settings| settings.path.clone());
    let lists: Vec<&Option<PathBuf>> = lists.iter().copied().chain([&settings]).collect();
    check_places_beside(&job.read, inputs, outputs, &lists)
}

/// The same for a verb without a job; `read` are files that it reads besides the inputs.
pub(crate) fn check_places_beside(
    read: &[PathBuf],
    inputs: &Inputs,
    outputs: Vec<PathBuf>,
    lists: &[&Option<PathBuf>],
) -> Result<(), Error> {
    let mut real = RealPaths::default();
    let lists = lists.iter().copied().flatten().filter(|path| *path != Path::new("-"));
    let lists: Vec<(&PathBuf, PathBuf)> = lists.map(|path| (path, real.of(path))).collect();
    let read: HashSet<PathBuf> = read.iter().map(|path| real.of(path)).collect();
    // Only places of lists are remembered: there are few of them, and there may be millions of inputs and outputs.
    let is_list = |place: &PathBuf| lists.iter().any(|(_, list)| list == place);
    let mut of_outputs = HashSet::new();
    for path in outputs {
        let place = real.of(&path);
        if read.contains(&place) {
            return Err(Error::OutputIsInput { path });
        }
        of_outputs.extend(Some(place).filter(is_list));
    }
    // By identity and not by name: some file systems have several names for one file. A file that does not exist is no input.
    let there: Vec<(&PathBuf, FileIdentity)> =
        lists.iter().filter_map(|&(path, _)| Some((path, FileIdentity::of_file(path)?))).collect();
    if !there.is_empty() {
        for input in inputs.files().iter().filter_map(|file| FileIdentity::of_file(&file.path)) {
            if let Some((path, _)) = there.iter().find(|(_, list)| *list == input) {
                return Err(Error::OutputIsInput { path: (*path).clone() });
            }
        }
    }
    for (path, place) in &lists {
        // Objects of a server have names only.
        if read.contains(place) || inputs.files().iter().any(|file| file.path == **path) {
            return Err(Error::OutputIsInput { path: (*path).clone() });
        }
        if !of_outputs.insert(place.clone()) {
            return Err(Error::SameOutput { path: (*path).clone() });
        }
    }
    Ok(())
}

/// Follows links. Files of one folder come one after the other, so the last folder is remembered.
#[derive(Default)]
struct RealPaths {
    /// The name of a folder, and its real path.
    folder: Option<(PathBuf, PathBuf)>,
}

impl RealPaths {
    fn of(&mut self, path: &Path) -> PathBuf {
        let is_link = || fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
        if (path.file_name().is_none() || is_link())
            && let Ok(real) = path.canonicalize()
        {
            return real;
        }
        let name = path.file_name().unwrap_or_default();
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if self.folder.as_ref().is_none_or(|(named, _)| named != folder) {
            let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
            self.folder = Some((folder.to_owned(), real));
        }
        self.folder.as_ref().map_or_else(|| path.to_owned(), |(_, real)| real.join(name))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_real_however_it_is_spelled() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir(root.join("in")).unwrap();
        fs::write(root.join("in/a"), "").unwrap();
        for (link, to) in [("out", "in"), ("b", "in/a"), ("dangling", "nowhere")] {
            std::os::unix::fs::symlink(root.join(to), root.join(link)).unwrap();
        }
        let mut real = RealPaths::default();
        for (path, expected) in [
            ("in/a", "in/a"),
            ("out/a", "in/a"),
            ("in/../out/a", "in/a"),
            ("b", "in/a"),
            ("out", "in"),
            ("in/..", ""),
            ("in/new", "in/new"),
            ("out/new", "in/new"),
            ("dangling", "dangling"),
        ] {
            assert_eq!(real.of(&root.join(path)), root.join(expected), "{path}");
        }
    }
}
