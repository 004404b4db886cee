//! Adds and removes documents, one frame of the log after the other.

use super::commit::Commit;
use super::ending;
use super::keeper::Keeper;
use super::open_log::OpenLog;
use super::sizes::IndexSizes;
use super::upkeep::Upkeep;
use super::{IndexReader, SharedIndex, Snapshot};
use crate::disk::lock::IndexLock;
use crate::disk::manifest::CoveredLog;
use crate::encode::{DocumentEncoder, EncodedDocument};
use crate::error::Error;
use crate::index::Index;
use crate::keys::memtable::{DocumentKeys, FRAME_DOCUMENTS, Memtable};
use crate::life::NEVER;
use crate::log::FRAME_HEAD_BYTES;
use crate::log::record::{push_document, push_link, push_payload, push_removal};
use lookalike_store::FRAME_HEAD_BYTES as JOURNAL_HEAD_BYTES;
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

/// Bytes of a frame from which on it is full.
const FRAME_BYTES: usize = 64 << 20;

/// Writes an index. There is one for each index.
///
/// Documents and removals are collected until [`IndexWriter::commit`]. They have numbers at once, and nobody but the writer sees them before
/// the commit is finished.
#[derive(Debug)]
pub struct IndexWriter {
    pub(super) shared: Arc<SharedIndex>,
    pub(super) log: Arc<Mutex<OpenLog>>,
    pub(super) keeper: Keeper,
    pub(super) sizes: IndexSizes,
    /// The place of the first byte of the last file of the log.
    pub(super) log_start: u64,
    pub(super) memtable: Arc<Memtable>,
    /// The frame of the next commit.
    pub(super) frame: Vec<u8>,
    /// The number of documents in it.
    pub(super) frame_documents: usize,
    /// The part of the log that ends with the frame. Its place is that of the first record of the frame, and it has no checksum.
    pub(super) covered: CoveredLog,
    /// The sequence number of the first record of the frame.
    pub(super) first_sequence: u64,
    /// The documents that the frame removes, and the sequence number of each removal.
    pub(super) removed: Vec<(u64, u64)>,
    /// The removed documents of the frame whose texts are to be gone.
    pub(super) purged: Vec<u64>,
    /// Whether the last file of the log is to end, so that it can be rewritten.
    pub(super) is_log_to_end: bool,
    /// The day of the documents in the last file of the log that expire, in days since 1970, if it has some.
    pub(super) day: Option<u32>,
    /// Whether a document of a later day was added. All documents of a file then expire at about the same time, if they live equally long.
    pub(super) is_new_day: bool,
    /// The documents that the frame lets expire later, the second of each, and the sequence number of each extension.
    pub(super) extended: Vec<(u64, u32, u64)>,
    /// The latest second at which a document was added.
    pub(super) time: u32,
    /// The links that no file of links has, and the sequence number of each.
    pub(super) links: Vec<(u64, [u64; 2])>,
    /// The last payload.
    pub(super) payload: Option<Vec<u8>>,
    /// The sequence number up to which the thread in the background has the links.
    pub(super) sealed: Arc<AtomicU64>,
    // Ends after everything else.
    _lock: IndexLock,
}

/// What a memtable and the writer need of a document.
pub(super) struct NewRecord<'k> {
    pub(super) keys: DocumentKeys<'k>,
    pub(super) time: Option<u32>,
    pub(super) expires: u32,
    pub(super) shingles: u64,
}

impl IndexWriter {
    pub(super) fn open(index: Index) -> Result<(Self, IndexReader), Error> {
        let sizes = index.sizes;
        Self::open_with(index, sizes)
    }

    pub(super) fn open_with(index: Index, sizes: IndexSizes) -> Result<(Self, IndexReader), Error> {
        let index = index.with_short_tail()?;
        let lock = index.take_lock()?;
        let payload = index.payload().map(<[u8]>::to_vec);
        let Index { folder, manifest, mut state, tail, follows, .. } = index;
        let owner = state.plan.id().0;
        // They are on the disk: their own numbers are smaller than that of the next record.
        let links = tail.links.iter().map(|&link| (manifest.covered.sequence, link)).collect();
        let memtable = state.open_memtable();
        let day = ending::first_day(&manifest, &state);
        let encoder = DocumentEncoder::new(Arc::clone(&state.tables), state.dictionaries.last().cloned());
        let last = state.log.pop();
        let shared = Arc::new(SharedIndex {
            folder,
            owner,
            state: RwLock::new(Arc::new(state)),
            durable: RwLock::new(tail.covered),
            manifest: Mutex::new(manifest),
            encoder,
            progressed: Arc::default(),
            now: AtomicU32::new(0),
            purging: Mutex::new(tail.purging.into_iter().collect()),
            upkeep: Upkeep::default(),
            follows,
            failure: OnceLock::new(),
        });
        let log = match last.zip(tail.end) {
            Some((file, end)) => shared.resume_log(file, end, tail.covered, payload.clone())?,
            None => shared.start_log(tail.covered, payload.clone())?,
        };
        let covered = CoveredLog { place: log.file.start + log.journal.end().at, ..tail.covered };
        let mut writer = IndexWriter {
            keeper: Keeper::start(Arc::clone(&shared)),
            sizes,
            log_start: log.file.start,
            log: Arc::new(Mutex::new(log)),
            memtable,
            frame: Vec::new(),
            frame_documents: 0,
            covered,
            first_sequence: tail.covered.sequence,
            removed: Vec::new(),
            purged: Vec::new(),
            is_log_to_end: false,
            day,
            is_new_day: false,
            extended: Vec::new(),
            time: 0,
            links,
            payload,
            sealed: Arc::default(),
            shared,
            _lock: lock,
        };
        writer.start_frame();
        // What an earlier process was asked to purge.
        writer.is_log_to_end = writer.shared.is_log_to_end_for(&writer.shared.all_purging());
        writer.roll_log()?;
        let reader = IndexReader(Arc::clone(&writer.shared));
        Ok((writer, reader))
    }

    pub(super) fn log(&self) -> MutexGuard<'_, OpenLog> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts the frame that follows the one that `covered` ends with.
    fn start_frame(&mut self) {
        self.frame.clear();
        self.frame.extend_from_slice(&self.covered.documents.to_le_bytes());
        debug_assert_eq!(
            self.frame.len(),
            FRAME_HEAD_BYTES,
            "a frame starts with the number of its first document"
        );
        (self.frame_documents, self.first_sequence) = (0, self.covered.sequence);
    }

    /// The number that the next document gets.
    pub fn documents(&self) -> u64 {
        self.covered.documents
    }

    /// The sequence number of the next document, removal or link. It counts all of these.
    pub fn sequence(&self) -> u64 {
        self.covered.sequence
    }

    /// Whether the frame has room for so many documents. Otherwise it must be committed before they are added. An empty frame has room for
    /// 4,096.
    pub fn has_room(&self, documents: usize) -> bool {
        self.frame_documents + documents <= FRAME_DOCUMENTS && self.frame.len() < FRAME_BYTES
    }

    /// All documents, with those that are not committed yet. Their texts cannot be read before that. Documents that a commit will
    /// remove are still there.
    pub fn uncommitted(&self) -> Snapshot {
        Snapshot::new(self.shared.state(), self.covered)
    }

    /// Encodes documents for this writer, on any thread.
    pub fn encoder(&self) -> DocumentEncoder {
        self.shared.encoder.clone()
    }

    /// Adds a document, whose sketch has these keys, and returns its number.
    ///
    /// # Panics
    /// If the frame [had no room](IndexWriter::has_room) for it, or if the sketch has other lengths than the plan says.
    pub fn add(&mut self, document: &EncodedDocument, keys: &[u64]) -> u64 {
        let (time, expires, shingles) = (document.time, document.expires, document.shingles);
        let new = NewRecord { keys: document.keys(keys), time, expires, shingles };
        self.push(&new, |number, frame| push_document(&document.body, number, frame))
    }

    /// Adds a document, whose record `push` appends to the frame, and returns its number.
    pub(super) fn push(&mut self, new: &NewRecord<'_>, push: impl FnOnce(u64, &mut Vec<u8>)) -> u64 {
        assert!(self.frame_documents < FRAME_DOCUMENTS, "a full frame is committed first");
        let number = self.covered.documents;
        let place = self.covered.place + JOURNAL_HEAD_BYTES as u64 + self.frame.len() as u64;
        push(number, &mut self.frame);
        self.memtable.push(new.keys, place, new.expires);
        let expires = new.expires != NEVER;
        if let Some(day) = new.time.filter(|_| expires).map(ending::day_of) {
            self.is_new_day |= self.day.is_some_and(|before| before < day);
            self.day = self.day.max(Some(day));
        }
        self.time = new.time.unwrap_or(0).max(self.time);
        self.frame_documents += 1;
        self.covered.documents += 1;
        self.covered.sequence += 1;
        self.covered.features += new.shingles;
        number
    }

    /// Removes the document with this number.
    ///
    /// # Panics
    /// If there is no such document.
    pub fn remove(&mut self, number: u64) {
        assert!(number < self.documents(), "there is such a document");
        push_removal(number, &mut self.frame);
        self.removed.push((number, self.covered.sequence));
        self.covered.sequence += 1;
    }

    /// Puts two documents into one cluster: its first one, and another member.
    ///
    /// # Panics
    /// If there is no such document.
    pub fn link(&mut self, first: u64, member: u64) {
        assert!(first.max(member) < self.documents(), "there are such documents");
        push_link([first, member], &mut self.frame);
        self.links.push((self.covered.sequence, [first, member]));
        self.covered.sequence += 1;
    }

    /// Ends the frame. Returns `None` if it is empty. `payload` is found again by [`Index::payload`]: the place in a stream that the documents
    /// come from, for example. It is on the disk exactly if the documents are.
    pub fn commit(&mut self, payload: Option<&[u8]>) -> Option<Commit> {
        payload.iter().for_each(|payload| self.push_payload(payload));
        if self.covered.sequence == self.first_sequence {
            return None;
        }
        let documents = self.memtable.range();
        // Only with documents: if the commit fails, the memtable that follows starts behind the end, by which it is known.
        let is_full =
            self.frame_documents > 0 && (documents.end - documents.start) as usize >= self.sizes.memtable;
        let mut commit = Commit {
            shared: Arc::clone(&self.shared),
            log: Arc::clone(&self.log),
            frame: std::mem::take(&mut self.frame),
            first_sequence: self.first_sequence,
            covered: self.covered,
            removed: std::mem::take(&mut self.removed),
            purged: std::mem::take(&mut self.purged),
            extended: std::mem::take(&mut self.extended),
            time: self.time,
            payload: self.payload.clone(),
            full: None,
        };
        if is_full {
            commit.full = self.replace_memtable();
        }
        self.covered.place += JOURNAL_HEAD_BYTES as u64 + commit.frame.len() as u64;
        self.start_frame();
        Some(commit)
    }

    pub(super) fn push_payload(&mut self, payload: &[u8]) {
        push_payload(payload, &mut self.frame);
        self.payload = Some(payload.to_vec());
        self.covered.sequence += 1;
    }

    /// Forgets everything that is not on the disk, after a commit could not be finished. Later commits must be dropped too. If the disk failed, the
    /// next commit goes to another file.
    pub fn roll_back(&mut self) {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        // If there can be no other file yet, later commits fail, and this is tried again after each.
        let _ = log.mend(&self.shared);
        self.log_start = log.file.start;
        let durable = log.durable;
        self.payload.clone_from(&log.payload);
        // Not the end of the file: it may have a frame that could not be synced. The file would look long, could not be followed by
        // another one, and changes would wait for that for ever.
        let first_frame = log.file.start + log.file.journal.start().at;
        self.covered = CoveredLog { place: durable.place.max(first_frame), ..durable };
        drop(log);
        let first = |memtable: &Memtable| memtable.range().start;
        self.shared.change_state(|state| {
            // A commit that failed has filled all that start behind the end. One that starts at the end follows one that is a run, or will be.
            while state.memtables.last().is_some_and(|memtable| first(memtable) > durable.documents) {
                state.memtables.pop();
            }
            // A copy: readers may be at the old one.
            if let Some(memtable) = state.memtables.last_mut() {
                *memtable = Arc::new(memtable.up_to(durable.documents));
                self.memtable = Arc::clone(memtable);
            }
        });
        self.removed.clear();
        self.extended.clear();
        self.purged.clear();
        self.links.retain(|&(sequence, _)| sequence < durable.sequence);
        self.start_frame();
    }

    /// Makes a run of the newest documents, and closes the index. All commits must be finished.
    ///
    /// # Errors
    /// [`Error::NotInOrder`] if a commit was not finished. [`Error::Background`] if the work in the background failed; the log has
    /// everything then, and the next process does the work.
    pub fn close(mut self) -> Result<(), Error> {
        let durable = self.log().durable;
        if durable.sequence != self.first_sequence {
            return Err(Error::NotInOrder);
        }
        let range = self.memtable.range();
        if range.start < range.end
            && let Some(full) = self.replace_memtable()
        {
            full.send(durable);
        }
        self.keeper.finish();
        match self.shared.progressed.failure() {
            Some(failure) => Err(Error::Background { failure }),
            None => Ok(()),
        }
    }
}
