//! What has been seen before: the sketches of documents, their ids, and what is compared of them, in a folder that grows.
//!
//! New documents are searched for in it by their band keys alone (`gather`); those that share one, and the first of whatever these
//! hang together with, come before the new ones, as if they had been read before them. The rest of the path is the same, and so is the
//! result: that of one run over everything.
//!
//! `format` says what is in the files. Not for: texts; the index has none.

mod format;
mod gather;
mod info;
mod key_set;
mod linked;
mod lock;
mod manifest;
mod repeated;
mod segment;
mod update;

pub use gather::{Gathered, Indexed};
pub use info::{IndexFile, IndexInfo, Verify};
pub use update::{Added, Update};

use crate::error::Error;
use format::{MANIFEST_FILE, SegmentFile};
use linked::Linked;
use lock::Lock;
use lookalike::{Method, Plan, Weighting};
use lookalike_store::bytes_of;
use manifest::{Manifest, SegmentEntry};
use segment::Segment;
use std::fs;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// An index, opened to be read, or to be added to as well.
#[derive(Debug)]
pub struct Index {
    folder: PathBuf,
    plan: Plan,
    manifest: Manifest,
    manifest_bytes: u64,
    segments: Vec<Segment>,
    /// Nobody else adds to it as long as this is there.
    lock: Option<Lock>,
}

impl Index {
    /// Is there an index in this folder?
    pub fn is_at(folder: &Path) -> bool {
        folder.join(MANIFEST_FILE).is_file()
    }

    /// Opens the index in `folder` to be read.
    ///
    /// # Errors
    /// [`Error`]: if there is none, or it is damaged.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        Self::open_with(folder, None)
    }

    /// Opens the index in `folder` to be added to. What an earlier run left that did not come to its end is removed.
    ///
    /// # Errors
    /// As [`Index::open`]; and if somebody else is adding to it.
    pub fn open_to_add(folder: &Path) -> Result<Self, Error> {
        if !Self::is_at(folder) {
            return Err(Error::NoIndex { folder: folder.to_owned() });
        }
        let index = Self::open_with(folder, Some(Lock::of(folder)?))?;
        lock::remove_leftovers(folder, &index.manifest)?;
        Ok(index)
    }

    /// Makes a new index of `plan`, to be added to. Until something is, it is no index: dropped, it leaves nothing behind.
    ///
    /// # Errors
    /// [`Error`] if something else is in `folder`, or the plan is none that an index can have.
    pub fn create(folder: &Path, plan: &Plan) -> Result<Self, Error> {
        check_plan(plan)?;
        let lock = Lock::of_new(folder)?;
        let manifest = Manifest::new(plan);
        let (folder, plan, lock) = (folder.to_owned(), plan.clone(), Some(lock));
        Ok(Index { folder, plan, manifest, manifest_bytes: 0, segments: Vec::new(), lock })
    }

    fn open_with(folder: &Path, lock: Option<Lock>) -> Result<Self, Error> {
        if !Self::is_at(folder) {
            return Err(Error::NoIndex { folder: folder.to_owned() });
        }
        Self::open_files(folder, lock).map_err(damaged)
    }

    fn open_files(folder: &Path, lock: Option<Lock>) -> Result<Self, Error> {
        let (manifest, plan, manifest_bytes) = Manifest::read(folder)?;
        manifest.check().map_err(|what| lookalike_store::Error::Damaged {
            path: folder.join(MANIFEST_FILE),
            at: 0,
            what,
        })?;
        let (mut segments, mut first) = (Vec::new(), 0);
        for entry in &manifest.segments {
            segments.push(Segment::open(folder, plan.id().0, entry, first)?);
            first += entry.documents;
        }
        Ok(Index { folder: folder.to_owned(), plan, manifest, manifest_bytes, segments, lock })
    }

    /// What its documents were sketched by, and are compared by.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The folder that it is in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How many documents it has.
    pub fn documents(&self) -> u64 {
        self.manifest.documents
    }

    /// Which documents these are: another index, or this one when it has grown, is described by something else.
    pub fn describe(&self) -> String {
        let digest = |segment: &SegmentEntry| segment.file(SegmentFile::Documents).digest;
        let digests: Vec<u64> = self.manifest.segments.iter().map(digest).collect();
        format!("an index of {} documents, {:016x}", self.documents(), xxh3_64(bytes_of(&digests)))
    }

    /// Was it opened to be added to?
    pub fn is_to_grow(&self) -> bool {
        self.lock.is_some()
    }

    /// Its files, those too that it does not have yet.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        let next = self.next_number();
        let names = (1..=next).flat_map(|number| SegmentFile::ALL.map(|file| file.name(number)));
        names.chain([MANIFEST_FILE.to_owned()]).map(|name| self.folder.join(name))
    }

    /// The number of the segment that will be added next.
    fn next_number(&self) -> u64 {
        self.manifest.segments.last().map_or(1, |segment| segment.number + 1)
    }

    /// The segment that has the document with this number.
    fn segment_of(&self, number: u64) -> &Segment {
        &self.segments[self.segments.partition_point(|segment| segment.first <= number) - 1]
    }

    /// What hangs together in it.
    fn linked(&self) -> Result<Linked, Error> {
        let mut links = Vec::new();
        for segment in &self.segments {
            links.extend(segment.links(self.documents())?);
        }
        Linked::by(&links)
    }
}

/// Refuses plans by which an index does not know what it would have to.
fn check_plan(plan: &Plan) -> Result<(), Error> {
    let is_known = plan.method() == Method::MinHash && plan.weighting() == Weighting::Set;
    if is_known { Ok(()) } else { Err(Error::IndexPlan) }
}

/// A file of an index that is no file of Lookalike at all, or another one, is damaged: it was one when the index was made.
fn damage(error: lookalike_store::Error) -> lookalike_store::Error {
    use lookalike_store::Error::{Damaged, OtherKind, OtherOwner};
    match error {
        OtherKind { path, .. } => Damaged { path, at: 0, what: "it does not start as it should" },
        OtherOwner { path, .. } => Damaged { path, at: 0, what: "it is of another index" },
        error => error,
    }
}

/// The same, and what to do about it.
fn damaged(error: Error) -> Error {
    match error {
        Error::Store(error) if error.is_damage() => Error::DamagedIndex(error),
        Error::Store(error @ lookalike_store::Error::OtherVersion { .. }) => {
            Error::IndexOfOtherVersion(error)
        }
        error => error,
    }
}

/// Makes the folder, if it is not there; says whether it did.
fn make_folder(folder: &Path) -> Result<bool, Error> {
    let is_new = !folder.is_dir();
    let write = |source| lookalike_store::Error::Write { path: folder.to_owned(), source };
    if is_new {
        fs::create_dir(folder).map_err(write)?;
    }
    Ok(is_new)
}
