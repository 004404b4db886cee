//! Giving outputs their names: all of them, or none.
//!
//! All outputs are complete beside their places before the first one gets its name. If a name cannot be given, the names given
//! before are taken back, and the files that had them before are restored. There are two exceptions. An object on a server
//! cannot be taken back. A replaced file cannot be restored on a file system that cannot exchange two files. Servers come
//! first, because they fail most often.

use std::{io, path::PathBuf};

use super::{
    folders::NewFolders,
    part::{PartFile, WayBack},
    paths::folder_of,
};
use crate::{Error, platform::sync_folder, remote::Upload};

/// An output that is complete, but does not have its name yet.
#[derive(Debug)]
pub(crate) struct Complete {
    path: PathBuf,
    part: Option<PartFile>,
    upload: Option<Upload>,
    length: u64,
    /// Whether the new name must be synced to the disk.
    lasts: bool,
}

impl Complete {
    pub(super) fn new(path: PathBuf, part: Option<PartFile>, upload: Option<Upload>, length: u64) -> Self {
        Complete { path, part, upload, length, lasts: false }
    }

    fn take_name(&mut self, way_back: WayBack) -> Result<(), Error> {
        let Some(part) = &mut self.part else { return Ok(()) };
        part.take_name(&self.path, way_back)
            .map_err(|source| Error::Write { path: self.path.clone(), source })
    }

    /// Waits until the name is on the disk, if this output requires it.
    fn settle(&self) -> Result<(), Error> {
        let synced = match self.lasts {
            true => sync_folder(folder_of(&self.path)),
            false => Ok(()),
        };
        synced.map_err(|source| Error::Write { path: self.path.clone(), source })
    }

    fn give_back(&mut self) {
        if let Some(part) = &mut self.part {
            part.give_back(&self.path);
        }
    }
}

/// Complete outputs without their names. If they are dropped, no file remains.
#[derive(Debug, Default)]
#[must_use = "outputs have no names until they are published"]
pub struct Completed {
    // The first field, so that folders are empty when they are removed.
    outputs: Vec<Complete>,
    folders: NewFolders,
}

impl Completed {
    pub(super) fn new(outputs: Vec<Complete>, folders: NewFolders) -> Self {
        Completed { outputs, folders }
    }

    /// Makes an output of the file `from`, which its writer has completed and locked. It will be moved to `to`, and its name
    /// synced to the disk.
    pub fn of_file(from: PathBuf, to: PathBuf) -> io::Result<Completed> {
        let length = from.metadata()?.len();
        let output =
            Complete { lasts: true, ..Complete::new(to, Some(PartFile::of_file(from)?), None, length) };
        Ok(Completed::new(vec![output], NewFolders::default()))
    }

    /// Adds other outputs, which get their names after these.
    pub fn join(&mut self, others: Completed) {
        let Completed { outputs, folders } = others;
        self.outputs.extend(outputs);
        self.folders.join(folders);
    }

    /// Gives all outputs their names. Returns their length in bytes.
    ///
    /// # Errors
    /// [`Error::Write`]. No output then has its name, as far as names can be taken back.
    pub fn publish(self) -> Result<u64, Error> {
        let Completed { mut outputs, folders } = self;
        Upload::publish(outputs.iter_mut().filter_map(|output| output.upload.take()).collect())?;
        let lasts = outputs.iter().any(|output| output.lasts);
        let last = outputs.iter().rposition(|output| output.part.is_some()).filter(|_| !lasts);
        for place in 0..outputs.len() {
            // No step can fail behind the last one, unless its name must be synced.
            let way_back = if Some(place) == last { WayBack::None } else { WayBack::Kept };
            let named = outputs[place].take_name(way_back);
            let is_last = place + 1 == outputs.len();
            let settled = named.and_then(|()| match is_last {
                true => outputs.iter().try_for_each(Complete::settle),
                false => Ok(()),
            });
            if let Err(error) = settled {
                outputs.iter_mut().rev().for_each(Complete::give_back);
                // The outputs are dropped before the folders that were made for them.
                drop(outputs);
                return Err(error);
            }
        }
        folders.keep();
        let bytes = outputs.iter().map(|output| output.length).sum();
        outputs.into_iter().filter_map(|output| output.part).for_each(PartFile::keep);
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{Waiting, WholeFile};

    #[test]
    fn names_are_given_to_all_outputs_or_to_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let names = || {
            let entries = fs::read_dir(folder.path()).unwrap();
            let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            names
        };
        let completed = || {
            let mut all = Completed::default();
            for name in ["new", "old", "taken", "late"] {
                all.join(
                    WholeFile::create(&path(name), &Waiting::default()).unwrap().write(b"content").unwrap(),
                );
            }
            fs::write(path("manifest.part"), "manifest").unwrap();
            all.join(Completed::of_file(path("manifest.part"), path("manifest")).unwrap());
            all
        };
        fs::write(path("old"), "old").unwrap();
        fs::write(path("late"), "late").unwrap();
        fs::write(path("manifest"), "first").unwrap();
        for taken in ["taken", "manifest"] {
            let (all, before) = (completed(), fs::read(path(taken)).ok());
            let _ = fs::remove_file(path(taken));
            fs::create_dir(path(taken)).unwrap();
            assert!(matches!(all.publish(), Err(Error::Write { path, .. }) if path.ends_with(taken)));
            fs::remove_dir(path(taken)).unwrap();
            before.into_iter().for_each(|before| fs::write(path(taken), before).unwrap());
            assert_eq!(names(), ["late", "manifest", "old"], "{taken}");
            assert_eq!(
                ["late", "manifest", "old"].map(|name| fs::read(path(name)).unwrap()),
                [&b"late"[..], b"first", b"old"]
            );
        }
        assert_eq!(completed().publish().unwrap(), 4 * 7 + 8);
        assert_eq!(names(), ["late", "manifest", "new", "old", "taken"]);
        assert_eq!(fs::read(path("old")).unwrap(), b"content");
        assert_eq!(fs::read(path("manifest")).unwrap(), b"manifest");
    }
}
