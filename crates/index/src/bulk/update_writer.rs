//! Adds many documents at once, at the speed of a disk: they become part of the index together.

use crate::bulk::update::Update;
use crate::disk::checkpoint::Checkpoint;
use crate::disk::files::FileKind;
use crate::disk::lock::IndexLock;
use crate::disk::manifest::{LogContent, LogEntry, Manifest};
use crate::disk::new_files::NewFiles;
use crate::encode::{DocumentEncoder, EncodedDocuments};
use crate::error::Error;
use crate::index::Index;
use crate::keys::runs::{KeyRun, RunWriter, merge, next_merge, write_table};
use crate::life::{NEVER, dropped_at};
use crate::log::record::push_link;
use crate::log::texts::Dictionary;
use crate::progress::Progress;
use lookalike_store::{JournalWriter, PagedSummary};
use std::path::PathBuf;
use std::sync::Arc;

/// Documents of a run before it is merged. To sort their keys takes 32 MB.
const RUN_DOCUMENTS: usize = 1 << 20;

/// Links of a frame: each takes 23 bytes.
const FRAME_LINKS: usize = 1 << 15;

/// Writes new documents into files of their own. If it is dropped, these are removed.
///
/// The same documents in the same order give the same bytes.
#[derive(Debug)]
pub struct UpdateWriter<'k> {
    // Removed before the lock, which may remove the folder.
    files: NewFiles,
    lock: IndexLock,
    index: Arc<Index>,
    /// The manifest that will name the files.
    manifest: Manifest,
    runs: Vec<Arc<KeyRun>>,
    encoder: DocumentEncoder,
    /// The keys of the sketches of all new documents.
    keys: &'k [u64],
    log: JournalWriter,
    log_entry: LogEntry,
    /// The second since 1970.
    now: u32,
    /// The documents that no run has yet.
    next_run: NextRun,
}

/// Documents of the run that is written next.
#[derive(Debug, Default)]
struct NextRun {
    /// The number of the first one among the new documents.
    first: usize,
    ids: Vec<u64>,
    urls: Vec<Option<u64>>,
    expiries: Vec<u32>,
    has_features: Vec<bool>,
    places: Vec<u64>,
}

impl<'k> UpdateWriter<'k> {
    /// Starts an update of `index`. `keys` has the keys of all new documents, one document after the other: see [`NewDocument::keys`](crate::NewDocument::keys). If the index has no
    /// dictionary yet, one is trained on `sample`: texts of new documents of [`SAMPLE_BYTES`](crate::SAMPLE_BYTES) or more.
    ///
    /// # Errors
    /// [`Error::ReadOnly`] or [`Error::HasWriter`] if the index cannot be written to, and [`Error::Store`] if a file cannot be written.
    pub fn create(index: Arc<Index>, keys: &'k [u64], sample: &[&str]) -> Result<Self, Error> {
        let lock = index.take_lock()?;
        let (mut manifest, owner) = (index.manifest.clone(), index.plan().id().0);
        let mut files = NewFiles::default();
        let folder = &index.folder;
        let mut checkpoint = Checkpoint { folder, owner, manifest: &mut manifest, files: &mut files };
        checkpoint.add_frequencies(index.weights())?;
        let mut runs = index.state.runs.clone();
        for path in checkpoint.add_tail(&index.state, &index.tail)? {
            runs.push(Arc::new(KeyRun::open(&path, owner, &index.state.tables)?));
        }
        let mut dictionary = index.state.dictionaries.last().cloned();
        if dictionary.is_none()
            && index.tables().stores_texts()
            && let Some(trained) = Dictionary::train(1, sample)
        {
            checkpoint.add_dictionary(&trained)?;
            dictionary = Some(Arc::new(trained));
        }
        let (before, number) = (manifest.log_end(), manifest.take_number());
        let path = files.add(index.folder.join(FileKind::Log.name(number)));
        let log = JournalWriter::create(&path, FileKind::Log.kind(), owner, before.chain)?;
        let log_entry = LogEntry {
            number,
            start: before.at,
            bytes: 0,
            chain: 0,
            first: index.documents(),
            content: LogContent::Frames,
        };
        let encoder = DocumentEncoder::new(Arc::clone(&index.state.tables), dictionary);
        let next_run = NextRun::default();
        let now = 0;
        Ok(UpdateWriter { files, lock, index, manifest, runs, encoder, keys, log, log_entry, now, next_run })
    }

    /// Says that it is second `now` since 1970. Keys of documents that have expired an hour before are dropped when runs are merged.
    pub fn set_time(&mut self, now: u32) {
        self.now = now;
    }

    /// Encodes documents for this writer.
    pub fn encoder(&self) -> DocumentEncoder {
        self.encoder.clone()
    }

    /// The number of the first new document in the whole index.
    pub fn first_number(&self) -> u64 {
        self.index.documents()
    }

    /// The number of documents that were pushed.
    fn documents(&self) -> u64 {
        self.manifest.covered.documents - self.index.documents()
    }

    /// Appends documents, which [`UpdateWriter::encoder`] has encoded.
    ///
    /// # Errors
    /// [`Error::Store`] if they cannot be written.
    ///
    /// # Panics
    /// If the first one does not have the number that follows those of the index, and of all documents that were pushed.
    pub fn push(&mut self, documents: &EncodedDocuments) -> Result<(), Error> {
        assert_eq!(documents.first, self.index.documents() + self.documents(), "documents come in order");
        if documents.is_empty() {
            return Ok(());
        }
        let payload = self.log.append(self.manifest.covered.sequence, &documents.frame)?;
        let place = |&start: &usize| self.log_entry.start + payload + start as u64;
        self.next_run.places.extend(documents.starts.iter().map(place));
        self.next_run.ids.extend(&documents.ids);
        self.next_run.urls.extend(&documents.urls);
        self.next_run.expiries.extend(&documents.expiries);
        self.next_run.has_features.extend(&documents.has_features);
        let covered = &mut self.manifest.covered;
        covered.documents += documents.len() as u64;
        covered.sequence += documents.len() as u64;
        covered.features += documents.features;
        if self.next_run.ids.len() >= RUN_DOCUMENTS { self.end_run() } else { Ok(()) }
    }

    /// Writes a run of the documents that have none.
    fn end_run(&mut self) -> Result<(), Error> {
        let NextRun { first, ids, urls, expiries, has_features, places } = std::mem::take(&mut self.next_run);
        self.next_run.first = first + ids.len();
        let (tables, owner) = (Arc::clone(&self.index.state.tables), self.index.plan().id().0);
        let of_sketch = tables.keys();
        let numbers = self.index.documents() + first as u64..;
        let (number, path) = self.checkpoint().new_file(FileKind::Run);
        let mut writer =
            RunWriter::create(&path, owner, &tables.held_bits(), numbers.start, ids.len() as u64)?;
        let rows = self.keys[first * of_sketch..].chunks_exact(of_sketch).take(ids.len());
        for table in 0..of_sketch {
            let entries = numbers.clone().zip(rows.clone()).zip(&has_features);
            let entries = entries.filter(|(_, has_features)| **has_features);
            let entry = |((number, keys), _): ((u64, &[u64]), _)| (tables.held(table, keys[table]), number);
            write_table(&mut writer, entries.map(entry).collect())?;
        }
        let entry = |(number, &id): (u64, &u64)| (tables.held(tables.ids(), id), number);
        write_table(&mut writer, numbers.clone().zip(&ids).map(entry).collect())?;
        let urls = numbers.zip(&urls).filter_map(|(number, url)| url.as_ref().map(|url| (number, url)));
        write_table(&mut writer, urls.map(entry).collect())?;
        let expires = expiries.iter().any(|&expiry| expiry != NEVER);
        let summary =
            writer.finish(places.iter().map(|&place| Ok(place)), if expires { &expiries } else { &[] })?;
        self.add_run(number, path, summary)
    }

    fn checkpoint(&mut self) -> Checkpoint<'_> {
        let owner = self.index.plan().id().0;
        Checkpoint { folder: &self.index.folder, owner, manifest: &mut self.manifest, files: &mut self.files }
    }

    fn add_run(&mut self, number: u64, path: PathBuf, summary: PagedSummary) -> Result<(), Error> {
        let run = Arc::new(KeyRun::open(&path, self.index.plan().id().0, &self.index.state.tables)?);
        self.checkpoint().add_run(number, summary, run.documents());
        self.runs.push(run);
        Ok(())
    }

    /// Merges runs until each is large enough beside those that follow it.
    fn merge(&mut self, progress: &dyn Progress) -> Result<(), Error> {
        let sizes = |manifest: &Manifest| manifest.runs.iter().map(|run| run.documents).collect::<Vec<_>>();
        while let Some(range) = next_merge(&sizes(&self.manifest)) {
            let (number, path) = self.checkpoint().new_file(FileKind::Run);
            let owner = self.index.plan().id().0;
            let runs = &self.runs[range.clone()];
            let lives = self.index.state.lives_of_runs(runs, dropped_at(self.now))?;
            let summary = merge(&path, owner, runs, &lives, progress)?;
            self.checkpoint().drop_expired(&lives);
            self.runs.truncate(range.start);
            self.manifest.runs.truncate(range.start);
            self.add_run(number, path, summary)?;
        }
        Ok(())
    }

    /// Writes links to the log, for copies that follow the index. The index itself has them in a file of their own.
    fn log_links(&mut self, links: &[[u64; 2]]) -> Result<(), Error> {
        let covered = &mut self.manifest.covered;
        for links in links.chunks(FRAME_LINKS) {
            let mut frame = covered.documents.to_le_bytes().to_vec();
            links.iter().for_each(|&link| push_link(link, &mut frame));
            self.log.append(covered.sequence, &frame)?;
            covered.sequence += links.len() as u64;
        }
        Ok(())
    }

    /// Writes all of the update to the disk.
    ///
    /// Each of `links` holds the first document of a cluster, and another member of it, by their numbers in the whole index. `inputs`
    /// identifies the inputs that the documents come from: see [`Index::last_inputs`]. `progress` is asked whether to go on.
    ///
    /// # Errors
    /// [`Error::Store`] if a file cannot be written, and [`Error::Interrupted`].
    pub fn finish(
        mut self,
        links: &[[u64; 2]],
        inputs: Option<u64>,
        progress: &dyn Progress,
    ) -> Result<Update, Error> {
        if self.documents() == 0 {
            // Their names are those of the files that follow.
            drop(std::mem::take(&mut self.files));
            let (mut manifest, mut files) = (self.index.manifest.clone(), NewFiles::default());
            let (folder, owner) = (&self.index.folder, self.index.plan().id().0);
            let mut checkpoint = Checkpoint { folder, owner, manifest: &mut manifest, files: &mut files };
            checkpoint.add_frequencies(self.index.weights())?;
            return Ok(Update::new(self.index, Some(self.lock), manifest, files));
        }
        if !self.next_run.ids.is_empty() {
            self.end_run()?;
        }
        self.log_links(links)?;
        self.log.sync()?;
        let end = self.log.end();
        let entry = LogEntry { bytes: end.at, chain: end.chain, ..self.log_entry };
        self.manifest.log.push(entry);
        (self.manifest.covered.place, self.manifest.covered.chain) = (entry.start + end.at, end.chain);
        self.checkpoint().add_links(links)?;
        self.merge(progress)?;
        self.manifest.updates += 1;
        self.manifest.inputs = inputs;
        Ok(Update::new(self.index, Some(self.lock), self.manifest, self.files))
    }
}
