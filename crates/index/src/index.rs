//! An index: opened, locked, and what it says of itself.

use crate::bulk::linked::LinkedDocuments;
use crate::bulk::update::Update;
use crate::disk::checkpoint::Checkpoint;
use crate::disk::files::{FileKind, MANIFEST_FILE};
use crate::disk::lock::{IndexLock, no_index, remove_leftovers};
use crate::disk::manifest::{CoveredLog, Manifest, ManifestFile};
use crate::disk::named::NamedFiles;
use crate::disk::new_files::NewFiles;
use crate::error::Error;
use crate::keys::tables::Tables;
use crate::life::extended::Extended;
use crate::life::removed::RemovedDocuments;
use crate::live::{IndexSizes, Snapshot};
use crate::log::texts::Dictionary;
use crate::log::{LogFiles, LogPart};
use crate::new_index::NewIndex;
use crate::recover::Tail;
use crate::state::IndexState;
use lookalike::{Plan, Weights};
use lookalike_store::{Error as StoreError, JournalWriter, Log, bytes_of};
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use xxhash_rust::xxh3::xxh3_64;

/// An index, opened to be read, or to be read and added to.
#[derive(Debug)]
pub struct Index {
    pub(crate) folder: PathBuf,
    pub(crate) manifest: Manifest,
    /// The length of the manifest's file, or 0 if it has not been written yet.
    pub(crate) manifest_bytes: u64,
    pub(crate) state: IndexState,
    /// The files of links.
    pub(crate) links: Vec<Log>,
    /// What the log has behind the end that the manifest names.
    pub(crate) tail: Tail,
    is_to_grow: bool,
    /// When a live writer starts new files.
    pub(crate) sizes: IndexSizes,
    /// Whether it is a copy that follows another index.
    pub(crate) follows: bool,
    /// Keeps other processes from adding to the index. A writer takes it.
    lock: Mutex<Option<IndexLock>>,
}

impl Index {
    /// Whether there is an index in this folder.
    pub fn is_at(folder: &Path) -> bool {
        folder.join(MANIFEST_FILE).is_file()
    }

    /// Whether there is an index in this folder, as [`Index::is_at`].
    ///
    /// # Errors
    /// [`Error::NoManifest`] if there was one, and its manifest is gone.
    pub fn is_whole_at(folder: &Path) -> Result<bool, Error> {
        match Self::is_at(folder) {
            true => Ok(true),
            false => match no_index(folder) {
                error @ Error::NoManifest { .. } => Err(error),
                _ => Ok(false),
            },
        }
    }

    /// Opens the index in `folder` to be read.
    ///
    /// # Errors
    /// [`Error`] if there is no index, or if it is damaged.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        // A process that writes to it may replace files between the reading of the manifest and theirs.
        for _ in 0..READ_AGAIN {
            match Self::open_with(folder, None) {
                Err(Error::Store(StoreError::Read { source, .. }))
                    if source.kind() == ErrorKind::NotFound => {}
                opened => return opened,
            }
        }
        Self::open_with(folder, None)
    }

    /// Opens the index in `folder` to be read and added to. Removes files that an interrupted process left.
    ///
    /// # Errors
    /// As [`Index::open`], and [`Error::Busy`] if another process is adding to it.
    pub fn open_to_add(folder: &Path) -> Result<Self, Error> {
        if !Self::is_at(folder) {
            return Err(no_index(folder));
        }
        let index = Self::open_with(folder, Some(IndexLock::of(folder)?))?.cut_unfinished_frame()?;
        remove_leftovers(folder, &index.manifest, index.plan().id().0)?;
        Ok(index)
    }

    /// Makes an empty index, to be added to. The folder becomes an index when the first [`Update`](crate::Update) is published.
    /// An index that is dropped before leaves nothing behind.
    ///
    /// # Errors
    /// [`Error`] if `folder` holds other files, or if an index cannot have this plan.
    pub fn create(folder: &Path, new: impl Into<NewIndex>) -> Result<Self, Error> {
        let new = new.into();
        let weights = new.check()?;
        let NewIndex { plan, stores_texts, .. } = new;
        let lock = IndexLock::of_new(folder)?;
        let manifest = Manifest::new(&plan, stores_texts);
        let state = IndexState {
            tables: Arc::new(Tables::in_folder(&plan, stores_texts)),
            dictionaries: Vec::new(),
            log: LogFiles::default(),
            plan: Arc::new(plan),
            weights,
            runs: Vec::new(),
            memtables: Vec::new(),
            removed: Arc::default(),
            extended: Arc::default(),
            dropped: 0,
        };
        Ok(Self::new(folder, manifest, 0, state, Vec::new(), Tail::default(), Some(lock)))
    }

    /// Cuts off a frame that a stopped process did not write to its end. Only the last file of the log may end in one, and a batch adds the
    /// next file.
    fn cut_unfinished_frame(self) -> Result<Self, Error> {
        let Some((end, file)) = self.tail.end.zip(self.state.log.parts().last().and_then(LogPart::frames))
        else {
            return Ok(self);
        };
        if file.journal.length()? == end.at {
            if self.tail.covered != self.manifest.covered {
                // What a killed process has written may not be on the disk yet, and what covers it will be.
                let path = file.journal.path();
                let sync = File::options().append(true).open(path).and_then(|file| file.sync_data());
                sync.map_err(|source| lookalike_store::Error::Write { path: path.to_owned(), source })?;
            }
            return Ok(self);
        }
        let (folder, path, owner) = (self.folder.clone(), file.journal.path().to_owned(), self.plan().id().0);
        let lock = self.take_lock()?;
        // It has the file in memory.
        drop(self);
        JournalWriter::resume(&path, FileKind::Log.kind(), owner, end)?;
        Self::open_with(&folder, Some(lock))
    }

    fn open_with(folder: &Path, lock: Option<IndexLock>) -> Result<Self, Error> {
        if !Self::is_at(folder) {
            return Err(no_index(folder));
        }
        Self::open_files(folder, lock).map_err(Error::of_index)
    }

    fn open_files(folder: &Path, lock: Option<IndexLock>) -> Result<Self, Error> {
        let ManifestFile { manifest, plan, bytes: manifest_bytes } = Manifest::read(folder)?;
        let files = NamedFiles { folder, owner: plan.id().0 };
        let frequencies = manifest.frequencies.map(|entry| files.frequencies(entry)).transpose()?;
        let new = NewIndex { plan, stores_texts: manifest.stores_texts, frequencies };
        let weights = new.check()?;
        let NewIndex { plan, stores_texts, .. } = new;
        let mut links = Vec::with_capacity(manifest.links.len());
        for entry in &manifest.links {
            links.push(files.log(FileKind::Links, *entry)?);
        }
        let removed = match manifest.removed {
            Some(entry) => RemovedDocuments::of(files.record(FileKind::Removed, entry)?.record(0).values(0)?),
            None => RemovedDocuments::default(),
        };
        let extended = match manifest.extended {
            Some(entry) => {
                let log = files.record(FileKind::Extended, entry)?;
                Extended::of(log.record(0).values(0)?, log.record(0).values(1)?)
            }
            None => Extended::default(),
        };
        let tables = Arc::new(Tables::in_folder(&plan, stores_texts));
        let mut runs = Vec::with_capacity(manifest.runs.len());
        for entry in &manifest.runs {
            runs.push(Arc::new(files.run(*entry, &tables)?));
        }
        let mut dictionaries = Vec::with_capacity(manifest.dictionaries.len());
        for (number, entry) in (1..).zip(&manifest.dictionaries) {
            let log = files.record(FileKind::Dictionary, *entry)?;
            dictionaries.push(Arc::new(Dictionary::read(&log, number)?));
        }
        let log = LogFiles::open(&files, &manifest.log)?;
        let (plan, removed) = (Arc::new(plan), Arc::new(removed));
        let (memtables, extended, dropped) = (Vec::new(), Arc::new(extended), manifest.dropped);
        let mut state = IndexState {
            plan,
            weights,
            tables,
            dictionaries,
            log,
            runs,
            memtables,
            removed,
            extended,
            dropped,
        };
        let tail = Tail::read(&manifest, &mut state)?;
        Ok(Self::new(folder, manifest, manifest_bytes, state, links, tail, lock))
    }

    /// With a lock it is one to be added to.
    fn new(
        folder: &Path,
        manifest: Manifest,
        manifest_bytes: u64,
        state: IndexState,
        links: Vec<Log>,
        tail: Tail,
        lock: Option<IndexLock>,
    ) -> Self {
        Index {
            folder: folder.to_owned(),
            manifest,
            manifest_bytes,
            state,
            links,
            tail,
            is_to_grow: lock.is_some(),
            sizes: IndexSizes::default(),
            follows: false,
            lock: Mutex::new(lock),
        }
    }

    /// The plan by which its documents were sketched, and are compared.
    pub fn plan(&self) -> &Plan {
        &self.state.plan
    }

    /// What it was made with.
    pub fn made_with(&self) -> NewIndex {
        NewIndex::of(self.plan(), self.tables(), self.weights())
    }

    /// The weights of features in fingerprints.
    pub fn weights(&self) -> &Weights {
        &self.state.weights
    }

    /// How its documents are found, and what is stored of them.
    pub fn tables(&self) -> &Tables {
        &self.state.tables
    }

    /// The folder that it is in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The number of documents that were added to it, with those that were removed.
    pub fn documents(&self) -> u64 {
        self.tail.covered.documents
    }

    /// The number of documents that were not removed, and have not expired at second `now` since 1970.
    ///
    /// # Errors
    /// [`Error::Damaged`] if a run is damaged.
    pub fn alive(&self, now: u32) -> Result<u64, Error> {
        let expired = self.state.expired(now).map_err(Error::of_index)?;
        Ok(self.documents() - self.state.removed.len() - expired)
    }

    /// The number of files of the log and of runs: what [`Verify::Everything`](crate::Verify::Everything) reads.
    pub fn parts(&self) -> u64 {
        (self.manifest.runs.len() + self.manifest.log.len()) as u64
    }

    /// The identity of the inputs that were added last: see [`UpdateWriter::finish`](crate::UpdateWriter::finish).
    pub fn last_inputs(&self) -> Option<u64> {
        self.manifest.inputs
    }

    /// The payload of the last commit that had one: see [`IndexWriter::commit`](crate::live::IndexWriter::commit).
    pub fn payload(&self) -> Option<&[u8]> {
        self.tail.payload.as_deref()
    }

    /// A description that changes when documents are added, and differs between indexes.
    pub fn describe(&self) -> String {
        // The first file has a chain of its own: that of its contents. All others continue it.
        let CoveredLog { documents, sequence, chain, .. } = self.tail.covered;
        format!("an index of {documents} documents, {:016x}", xxh3_64(bytes_of(&[sequence, chain])))
    }

    /// Whether it was opened to be added to.
    pub fn is_to_grow(&self) -> bool {
        self.is_to_grow
    }

    /// The paths of its files, and of the files that the next update will write.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        let names = self.manifest.files().map(|(number, kind)| kind.name(number));
        let next = FileKind::ALL.into_iter().map(|kind| kind.name(self.manifest.next_file));
        names.chain(next).chain([MANIFEST_FILE.to_owned()]).map(|name| self.folder.join(name))
    }

    /// The same index, with a memtable at most that has room: if the log ends in more documents, runs are made of them.
    ///
    /// # Errors
    /// [`Error::Store`] if a file cannot be written.
    pub(crate) fn with_short_tail(self) -> Result<Self, Error> {
        if !self.state.memtables.iter().any(|memtable| memtable.is_full()) {
            return Ok(self);
        }
        let lock = self.take_lock()?;
        let (mut manifest, mut files) = (self.manifest.clone(), NewFiles::default());
        let (folder, owner) = (&self.folder, self.plan().id().0);
        let mut checkpoint = Checkpoint { folder, owner, manifest: &mut manifest, files: &mut files };
        checkpoint.add_tail(&self.state, &self.tail)?;
        let folder = self.folder.clone();
        Update::new(Arc::new(self), None, manifest, files).publish()?;
        Self::open_with(&folder, Some(lock))
    }

    /// Takes the right to write to it, which one writer has.
    ///
    /// # Errors
    /// [`Error::ReadOnly`] if it was opened to be read only, and [`Error::HasWriter`] if a writer has taken it.
    pub(crate) fn take_lock(&self) -> Result<IndexLock, Error> {
        let lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner).take();
        let folder = self.folder.clone();
        lock.ok_or(if self.is_to_grow { Error::HasWriter { folder } } else { Error::ReadOnly { folder } })
    }

    /// The documents that it has, with those that were added after the last manifest.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::new(Arc::new(self.state.clone()), self.tail.covered)
    }

    /// The clusters of its documents.
    ///
    /// # Errors
    /// [`Error::Damaged`] if a link is damaged, and [`Error::TooManyLinked`].
    pub fn linked(&self) -> Result<LinkedDocuments, Error> {
        let mut links = Vec::new();
        for record in self.links.iter().flat_map(Log::records) {
            let of_record: &[[u64; 2]] = record.values(0)?;
            if of_record.as_flattened().iter().any(|&number| number >= self.documents()) {
                return Err(record.damaged("a link is to a document that is not there").into());
            }
            links.push(of_record);
        }
        links.push(&self.tail.links);
        LinkedDocuments::new(&links)
    }
}

/// How often the manifest is read again because a file that it names is not there any more.
const READ_AGAIN: u32 = 3;
