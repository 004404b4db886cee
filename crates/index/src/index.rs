//! An index: opened, locked, and what it says of itself.

use crate::error::Error;
use crate::format::{MANIFEST_FILE, SegmentFile};
use crate::linked::LinkedDocuments;
use crate::lock::{Lock, remove_leftovers};
use crate::manifest::{Manifest, ManifestFile, SegmentEntry};
use crate::segment::Segment;
use lookalike::{Method, Plan, Weighting};
use lookalike_store::bytes_of;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// An index, opened to be read, or to be read and added to.
#[derive(Debug)]
pub struct Index {
    pub(crate) folder: PathBuf,
    pub(crate) plan: Plan,
    pub(crate) manifest: Manifest,
    /// The length of the manifest's file, or 0 if it has not been written yet.
    pub(crate) manifest_bytes: u64,
    pub(crate) segments: Vec<Segment>,
    /// Keeps other processes from adding to the index.
    pub(crate) lock: Option<Lock>,
}

impl Index {
    /// Whether there is an index in this folder.
    pub fn is_at(folder: &Path) -> bool {
        folder.join(MANIFEST_FILE).is_file()
    }

    /// Opens the index in `folder` to be read.
    ///
    /// # Errors
    /// [`Error`] if there is no index, or if it is damaged.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        Self::open_with(folder, None)
    }

    /// Opens the index in `folder` to be read and added to. Removes files that an interrupted process left.
    ///
    /// # Errors
    /// As [`Index::open`], and [`Error::Busy`] if another process is adding to it.
    pub fn open_to_add(folder: &Path) -> Result<Self, Error> {
        if !Self::is_at(folder) {
            return Err(Error::NoIndex { folder: folder.to_owned() });
        }
        let index = Self::open_with(folder, Some(Lock::of(folder)?))?;
        remove_leftovers(folder, &index.manifest)?;
        Ok(index)
    }

    /// Makes an empty index of `plan`, to be added to. The folder becomes an index when the first [`Update`](crate::Update) is published.
    /// An index that is dropped before leaves nothing behind.
    ///
    /// # Errors
    /// [`Error`] if `folder` holds other files, or if an index cannot have this plan.
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
        Self::open_files(folder, lock).map_err(Error::of_index)
    }

    fn open_files(folder: &Path, lock: Option<Lock>) -> Result<Self, Error> {
        let ManifestFile { manifest, plan, bytes } = Manifest::read(folder)?;
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
        Ok(Index { folder: folder.to_owned(), plan, manifest, manifest_bytes: bytes, segments, lock })
    }

    /// The plan by which its documents were sketched, and are compared.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The folder that it is in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The number of documents in it.
    pub fn documents(&self) -> u64 {
        self.manifest.documents
    }

    /// The number of segments in it: one for each time that documents were added.
    pub fn segments(&self) -> u64 {
        self.segments.len() as u64
    }

    /// The bytes of all its files of keys.
    pub fn key_bytes(&self) -> u64 {
        self.segments.iter().map(Segment::key_bytes).sum()
    }

    /// The identity of the inputs that were added last: see [`SegmentWriter::finish`](crate::SegmentWriter::finish).
    pub fn last_inputs(&self) -> Option<u64> {
        self.manifest.segments.last().and_then(|segment| segment.inputs)
    }

    /// A description that changes when documents are added, and differs between indexes.
    pub fn describe(&self) -> String {
        let digest = |segment: &SegmentEntry| segment.file(SegmentFile::Documents).digest;
        let digests: Vec<u64> = self.manifest.segments.iter().map(digest).collect();
        format!("an index of {} documents, {:016x}", self.documents(), xxh3_64(bytes_of(&digests)))
    }

    /// Whether it was opened to be added to.
    pub fn is_to_grow(&self) -> bool {
        self.lock.is_some()
    }

    /// The paths of its files, and of the files that the next update will write.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        let next = self.next_number();
        let names = (1..=next).flat_map(|number| SegmentFile::ALL.map(|file| file.name(number)));
        names.chain([MANIFEST_FILE.to_owned()]).map(|name| self.folder.join(name))
    }

    /// The number of the segment that will be added next.
    pub(crate) fn next_number(&self) -> u64 {
        self.manifest.segments.last().map_or(1, |segment| segment.number + 1)
    }

    /// The segment that holds the document with this number.
    pub(crate) fn segment_of(&self, number: u64) -> &Segment {
        &self.segments[self.segments.partition_point(|segment| segment.first <= number) - 1]
    }

    /// The clusters of its documents.
    pub(crate) fn linked(&self) -> Result<LinkedDocuments, Error> {
        let mut links = Vec::new();
        for segment in &self.segments {
            links.extend(segment.links(self.documents())?);
        }
        LinkedDocuments::new(&links)
    }
}

/// Refuses plans with sketches or weights that an index does not store.
fn check_plan(plan: &Plan) -> Result<(), Error> {
    let is_supported = plan.method() == Method::MinHash && plan.weighting() == Weighting::Set;
    if is_supported { Ok(()) } else { Err(Error::UnsupportedPlan) }
}
