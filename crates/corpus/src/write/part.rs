//! Temporary files of outputs, and the removal of such files that killed runs have left.
//!
//! A writer holds a lock on its temporary file, called a part. The lock ends with the process, however it ends. The part of a
//! single output is locked itself. A folder may have a million outputs, more than files can be open. There a locked file,
//! `.lookalike-RUN.lock`, stands for all parts of its run, `.lookalike-RUN-….part`. A process that begins an output removes
//! parts without a lock, if they are from the same machine, because some file systems know only the locks of one machine. On a
//! file system without locks, nothing is removed.

use std::{
    collections::HashMap,
    fs::{self, File, TryLockError},
    hash::{DefaultHasher, Hash, Hasher},
    io,
    path::{Path, PathBuf},
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use tempfile::{NamedTempFile, TempPath};
use walkdir::WalkDir;

use crate::platform::{self, Previous};

/// The start of the names of all parts. It contains a hash of the machine. Machines with the same hash count as one machine.
static PREFIX: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = DefaultHasher::new();
    platform::machine().iter().for_each(|value| value.hash(&mut hasher));
    format!(".lookalike-{:08x}", hasher.finish() as u32)
});

const PART: &str = ".part";
const LOCK: &str = ".lock";

/// A temporary file. If it is dropped before it is [kept](PartFile::keep), it is removed.
#[derive(Debug)]
pub(super) struct PartFile {
    path: TempPath,
    /// The file that had the final name before the part got it; `None` until it has the name.
    previous: Option<Previous>,
    _held: PartLock,
}

/// Whether a part must be able to give its name back.
#[derive(Clone, Copy, Debug)]
pub(super) enum WayBack {
    Kept,
    None,
}

/// The lock that prevents other processes from removing a part.
#[derive(Debug)]
enum PartLock {
    Itself { _lock: File },
    WithRun { _run: Arc<RunLock> },
    ByWriter,
}

/// Locks for all parts of a run below a folder.
#[derive(Debug)]
pub(super) struct RunLocks {
    /// The lock of the folder; `None` if the folder is not writable.
    root: Option<Arc<RunLock>>,
    /// Locks of folders that are reached through links. Each covers the parts below its folder.
    others: Mutex<HashMap<PathBuf, Arc<RunLock>>>,
}

#[derive(Debug)]
struct RunLock {
    /// The folder, with links resolved.
    folder: PathBuf,
    /// The start of its parts' names.
    prefix: String,
    _lock: NamedTempFile,
}

impl PartFile {
    /// Starts a part in `folder`. The locks of `run`, if given, cover it.
    pub(super) fn create(folder: &Path, run: Option<&RunLocks>) -> io::Result<(File, PartFile)> {
        if let Some(run) = run {
            let run = run.of(folder)?;
            let (file, path) = new_file(&run.prefix, PART, folder)?.into_parts();
            return Ok((file, PartFile { path, previous: None, _held: PartLock::WithRun { _run: run } }));
        }
        remove_abandoned(folder);
        let (file, path) = new_locked(PART, folder)?.into_parts();
        let lock = file.try_clone()?;
        Ok((file, PartFile { path, previous: None, _held: PartLock::Itself { _lock: lock } }))
    }

    /// Makes a part of a file that its writer has completed, and has locked.
    pub(super) fn of_file(path: PathBuf) -> io::Result<PartFile> {
        Ok(PartFile { path: TempPath::try_from_path(path)?, previous: None, _held: PartLock::ByWriter })
    }

    /// Gives the file its final name atomically. With a way back, a file that has the name already is exchanged with the part.
    pub(super) fn take_name(&mut self, path: &Path, way_back: WayBack) -> io::Result<()> {
        self.previous = Some(match way_back {
            WayBack::Kept => platform::rename_with_way_back(&self.path, path)?,
            WayBack::None => fs::rename(&self.path, path).map(|()| Previous::Gone)?,
        });
        Ok(())
    }

    /// Takes the final name back, and restores the file that had it before.
    pub(super) fn give_back(&mut self, path: &Path) {
        // A failure here is ignored, because another error is reported already.
        let _ = match self.previous.take() {
            None | Some(Previous::Gone) => Ok(()),
            Some(Previous::Nothing) => fs::rename(path, &self.path),
            Some(Previous::Exchanged) => fs::rename(&self.path, path),
        };
    }

    /// Keeps the file under its final name, and removes the file that had it before.
    pub(super) fn keep(self) {
        if self.previous != Some(Previous::Exchanged) {
            // No file is left at the path of the part.
            let _ = self.path.keep();
        }
    }
}

impl RunLocks {
    /// Removes the parts of killed runs below `folder`, and locks the parts of this run.
    pub(super) fn create(folder: &Path) -> Self {
        RunLocks { root: RunLock::create(folder).ok().map(Arc::new), others: Mutex::default() }
    }

    /// The lock that covers parts in a folder. It is in a folder where other processes search for abandoned parts.
    fn of(&self, folder: &Path) -> io::Result<Arc<RunLock>> {
        let folder = fs::canonicalize(folder)?;
        if let Some(root) = self.root.as_ref().filter(|root| folder.starts_with(&root.folder)) {
            return Ok(Arc::clone(root));
        }
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lock) = others.get(&folder) {
            return Ok(Arc::clone(lock));
        }
        let lock = Arc::new(RunLock::create(&folder)?);
        others.insert(folder, Arc::clone(&lock));
        Ok(lock)
    }
}

impl RunLock {
    fn create(folder: &Path) -> io::Result<RunLock> {
        remove_abandoned(folder);
        let lock = new_locked(LOCK, folder)?;
        let name = lock.path().file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let prefix = format!("{}-", name.strip_suffix(LOCK).unwrap_or(name));
        Ok(RunLock { folder: fs::canonicalize(folder)?, prefix, _lock: lock })
    }
}

fn new_file(prefix: &str, suffix: &str, folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    platform::allow_others_to_read(builder.prefix(prefix).suffix(suffix)).tempfile_in(folder)
}

/// Creates a file that this process has locked, if the file system has locks.
fn new_locked(suffix: &str, folder: &Path) -> io::Result<NamedTempFile> {
    loop {
        let file = new_file(&PREFIX, suffix, folder)?;
        match file.as_file().try_lock() {
            // Another process may have taken it for abandoned before it was locked. It is then removed, or about to be.
            Ok(()) if platform::is_removed(file.as_file(), file.path()) => {}
            Err(TryLockError::WouldBlock) => {}
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(file),
        }
    }
}

/// Removes the files that killed runs have left in `folder`. Files that cannot be opened or removed stay.
fn remove_abandoned(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(rest) = name.to_str().and_then(|name| name.strip_prefix(PREFIX.as_str())) else { continue };
        let run = rest.strip_suffix(LOCK);
        let is_held_itself = rest.strip_suffix(PART).is_some_and(|part| !part.contains('-'));
        if (run.is_none() && !is_held_itself) || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let path = entry.path();
        let Ok(file) = File::options().read(true).write(true).open(&path) else { continue };
        // The lock is held until the file is removed.
        if file.try_lock().is_ok() {
            if let Some(run) = run {
                remove_parts(folder, &format!("{}{run}-", *PREFIX));
            }
            let _ = fs::remove_file(path);
        }
    }
}

/// Removes the parts of a killed run below `folder`.
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

    fn publish(mut part: PartFile, path: &Path) {
        part.take_name(path, WayBack::Kept).unwrap();
        part.keep();
    }

    #[test]
    fn parts_without_a_lock_are_removed_and_locked_ones_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let (_file, living) = PartFile::create(path, None).unwrap();
        let dead = format!("{}dead01.part", *PREFIX);
        for left in [&dead, "other.part", ".lookalike-0123456789abcdef", ".lookalike-ffffffffother1.part"] {
            fs::write(path.join(left), b"left").unwrap();
        }
        let (_other, another) = PartFile::create(path, None).unwrap();
        let mut expected = [&living, &another].map(|part| part.path.file_name().unwrap().into()).to_vec();
        let others = [".lookalike-0123456789abcdef", ".lookalike-ffffffffother1.part", "other.part"]
            .map(PathBuf::from);
        expected.extend(others.clone());
        expected.sort();
        assert_eq!(names(path), expected);
        publish(living, &path.join("living"));
        drop(another);
        assert_eq!(names(path), [&others[..2], &["living".into()], &others[2..]].concat());
    }

    #[test]
    fn parts_of_a_run_are_removed_with_its_lock_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::create_dir(path.join("in")).unwrap();
        let of = |name: &str| format!("{}{name}", *PREFIX);
        fs::write(path.join(of("dead01.lock")), b"").unwrap();
        fs::write(path.join("in").join(of("dead01-a.part")), b"left").unwrap();
        fs::write(path.join("in").join(of("alive1-a.part")), b"of a run that has its lock elsewhere")
            .unwrap();
        let run = RunLocks::create(path);
        assert_eq!(names(path).len(), 2, "{:?}", names(path));
        let (file, part) = PartFile::create(&path.join("in"), Some(&run)).unwrap();
        drop((file, run));
        let other = RunLocks::create(path);
        assert_eq!(names(path).len(), 4, "{:?}", names(path));
        publish(part, &path.join("in/a"));
        drop(other);
        assert_eq!(names(path), [Path::new("in").join(of("alive1-a.part")), "in/a".into()]);
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_is_reached_by_a_link_has_one_lock_for_all_its_parts() {
        let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let link = folder.path().join("in");
        std::os::unix::fs::symlink(elsewhere.path(), &link).unwrap();
        let run = RunLocks::create(folder.path());
        let parts: Vec<_> = (0..10).map(|_| PartFile::create(&link, Some(&run)).unwrap()).collect();
        assert_eq!(names(elsewhere.path()).len(), 11);
        PartFile::create(elsewhere.path(), None).unwrap();
        assert_eq!(names(elsewhere.path()).len(), 11, "a living run holds them");
        drop((parts, run));
        assert!(names(elsewhere.path()).is_empty());
    }
}
