//! Files that are written and have no name yet, and what killed runs have left of such files.
//!
//! Whoever writes holds a lock, which ends with the process, however it ends. A part beside a single output is locked itself. There may
//! be a million outputs in a folder, more than files can be open: there a file that is locked, `.lookalike-RUN.lock`, stands for all
//! the parts of its run, `.lookalike-RUN-….part`. Whoever begins an output removes what nobody holds. On a file system without locks
//! nothing is removed.

use std::{
    fs::{self, File, Permissions, TryLockError},
    io,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
    sync::Arc,
};

use tempfile::{NamedTempFile, TempPath};
use walkdir::WalkDir;

const PREFIX: &str = ".lookalike-";
const PART: &str = ".part";
const LOCK: &str = ".lock";

/// A file without its name. Dropped before it is [published](Part::publish), it is removed.
#[derive(Debug)]
pub(super) struct Part {
    path: TempPath,
    _held: Held,
}

/// What keeps others from removing a part.
#[derive(Debug)]
enum Held {
    Itself { _lock: File },
    WithRun { _run: Arc<RunLock> },
}

/// Holds all parts that a run has below a folder.
#[derive(Debug)]
pub(super) struct RunLock {
    /// The folder, without links.
    folder: PathBuf,
    /// What the names of its parts begin with.
    prefix: String,
    _lock: NamedTempFile,
}

impl Part {
    /// Starts a part in `folder`. `run` holds it, if the folder is below that of the run.
    pub(super) fn create(folder: &Path, run: Option<&Arc<RunLock>>) -> io::Result<(File, Part)> {
        if let Some(run) = run.filter(|run| run.covers(folder)) {
            let (file, path) = new_file(&run.prefix, PART, folder)?.into_parts();
            return Ok((file, Part { path, _held: Held::WithRun { _run: Arc::clone(run) } }));
        }
        remove_abandoned(folder);
        let (file, path) = new_locked(PART, folder)?.into_parts();
        let lock = file.try_clone()?;
        Ok((file, Part { path, _held: Held::Itself { _lock: lock } }))
    }

    /// Gives the file its name.
    pub(super) fn publish(self, path: &Path) -> io::Result<()> {
        self.path.persist(path).map_err(|error| error.error)
    }
}

impl RunLock {
    /// Removes what killed runs have left below `folder`, and holds what this one will put there.
    pub(super) fn create(folder: &Path) -> io::Result<Arc<RunLock>> {
        remove_abandoned(folder);
        let lock = new_locked(LOCK, folder)?;
        let name = lock.path().file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let prefix = format!("{}-", name.strip_suffix(LOCK).unwrap_or(name));
        Ok(Arc::new(RunLock { folder: fs::canonicalize(folder)?, prefix, _lock: lock }))
    }

    /// Is `folder` one where those will look who find that the run is dead?
    fn covers(&self, folder: &Path) -> bool {
        fs::canonicalize(folder).is_ok_and(|folder| folder.starts_with(&self.folder))
    }
}

fn new_file(prefix: &str, suffix: &str, folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(prefix)
        .suffix(suffix)
        // The usual permissions of a new file, less what the umask takes; the library's own are stricter.
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)
}

/// A new file that this process has locked, if the file system has locks.
fn new_locked(suffix: &str, folder: &Path) -> io::Result<NamedTempFile> {
    loop {
        let file = new_file(PREFIX, suffix, folder)?;
        match file.as_file().try_lock() {
            // Another one may have taken it for abandoned before it was locked: then it is being removed, or is already.
            Ok(()) if file.as_file().metadata()?.nlink() == 0 => {}
            Err(TryLockError::WouldBlock) => {}
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(file),
        }
    }
}

/// Removes what killed runs have left in `folder`. What cannot be looked at or removed is left.
fn remove_abandoned(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(rest) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else { continue };
        let run = rest.strip_suffix(LOCK);
        let is_held_itself = rest.strip_suffix(PART).is_some_and(|part| !part.contains('-'));
        if (run.is_none() && !is_held_itself) || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let path = entry.path();
        let Ok(file) = File::options().read(true).write(true).open(&path) else { continue };
        // Held until it is gone.
        if file.try_lock().is_ok() {
            if let Some(run) = run {
                remove_parts(folder, &format!("{PREFIX}{run}-"));
            }
            let _ = fs::remove_file(path);
        }
    }
}

/// Removes the parts of a dead run below `folder`.
fn remove_parts(folder: &Path, prefix: &str) {
    for entry in WalkDir::new(folder).into_iter().flatten() {
        let is_part = |name: &str| name.starts_with(prefix) && name.ends_with(PART);
        if entry.file_type().is_file() && entry.file_name().to_str().is_some_and(is_part) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<PathBuf> {
        let files = WalkDir::new(folder).sort_by_file_name().into_iter().map(Result::unwrap);
        let files = files.filter(|entry| entry.file_type().is_file());
        files.map(|entry| entry.path().strip_prefix(folder).unwrap().to_owned()).collect()
    }

    #[test]
    fn what_nobody_holds_is_removed_and_what_somebody_holds_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let (_file, living) = Part::create(path, None).unwrap();
        for left in [".lookalike-dead01.part", "other.part", ".lookalike-0123456789abcdef"] {
            fs::write(path.join(left), b"left").unwrap();
        }
        let (_other, another) = Part::create(path, None).unwrap();
        let mut expected = [&living, &another].map(|part| part.path.file_name().unwrap().into()).to_vec();
        expected.extend([PathBuf::from("other.part"), ".lookalike-0123456789abcdef".into()]);
        expected.sort();
        assert_eq!(names(path), expected);
        living.publish(&path.join("living")).unwrap();
        drop(another);
        assert_eq!(names(path), [".lookalike-0123456789abcdef", "living", "other.part"].map(PathBuf::from));
    }

    #[test]
    fn parts_of_a_run_go_with_its_lock_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::create_dir(path.join("in")).unwrap();
        fs::write(path.join(".lookalike-dead01.lock"), b"").unwrap();
        fs::write(path.join("in/.lookalike-dead01-a.part"), b"left").unwrap();
        fs::write(path.join("in/.lookalike-alive1-a.part"), b"of a run that has its lock elsewhere").unwrap();
        let run = RunLock::create(path).unwrap();
        assert_eq!(names(path).len(), 2, "{:?}", names(path));
        let (file, part) = Part::create(&path.join("in"), Some(&run)).unwrap();
        drop((file, run));
        let other = RunLock::create(path).unwrap();
        assert_eq!(names(path).len(), 4, "{:?}", names(path));
        part.publish(&path.join("in/a")).unwrap();
        drop(other);
        assert_eq!(names(path), ["in/.lookalike-alive1-a.part", "in/a"].map(PathBuf::from));
    }

    #[test]
    fn what_is_reached_by_a_link_is_held_itself() {
        let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(elsewhere.path(), folder.path().join("in")).unwrap();
        let run = RunLock::create(folder.path()).unwrap();
        let (_file, part) = Part::create(&folder.path().join("in"), Some(&run)).unwrap();
        assert!(matches!(part._held, Held::Itself { .. }));
        Part::create(elsewhere.path(), None).unwrap();
        assert_eq!(names(elsewhere.path()).len(), 1);
    }
}
