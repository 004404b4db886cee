//! Reads an index while it is written.

use super::SharedIndex;
use crate::disk::manifest::CoveredLog;
use crate::encode::id_hash;
use crate::error::Error;
use crate::keys::tables::Tables;
use crate::life::dropped_at;
use crate::log::LoggedDocument;
use crate::log::record::url_hash;
use crate::new_index::NewIndex;
use crate::state::{IndexState, Moment};
use lookalike::sketch::ContentHash;
use lookalike::{Plan, Weights};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Reads an index. A copy of it reads the same index.
#[derive(Clone, Debug)]
pub struct IndexReader(pub(super) Arc<SharedIndex>);

/// The documents of an index at one moment. What was added or removed later is not seen.
#[derive(Clone, Debug)]
pub struct Snapshot {
    state: Arc<IndexState>,
    covered: CoveredLog,
    /// Documents that expire at this second or before are dropped.
    dropped: u32,
}

/// A document that may be similar to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredCandidate {
    /// Its number.
    pub number: u64,
    /// The number of keys that the two share, or of parts in which their fingerprints are near.
    pub bands: u32,
}

/// A document of an index.
#[derive(Clone, Debug)]
pub struct Document<'s> {
    /// Its number in the whole index.
    pub number: u64,
    expires: Option<u32>,
    stored: LoggedDocument<'s>,
    state: &'s IndexState,
}

impl IndexReader {
    /// The plan by which its documents were sketched, and are compared.
    pub fn plan(&self) -> Arc<Plan> {
        Arc::clone(&self.0.state().plan)
    }

    /// What it was made with.
    pub fn made_with(&self) -> NewIndex {
        let state = self.0.state();
        NewIndex::of(&state.plan, &state.tables, &state.weights)
    }

    /// The weights of features in fingerprints.
    pub fn weights(&self) -> Weights {
        self.0.state().weights.clone()
    }

    /// How its documents are found, and what is stored of them.
    pub fn tables(&self) -> Arc<Tables> {
        Arc::clone(&self.0.state().tables)
    }

    /// Whether adding should wait: the thread in the background is behind by several memtables.
    pub fn is_behind(&self) -> bool {
        self.0.progressed.is_behind()
    }

    /// The last failure of the thread in the background, if it has not succeeded since. It tries again every second.
    pub fn failure(&self) -> Option<String> {
        self.0.progressed.failure()
    }

    /// How often runs were merged.
    pub fn merges(&self) -> u64 {
        self.0.progressed.merged.load(Ordering::Relaxed)
    }

    /// What is in the index now.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::of(&self.0)
    }
}

impl Snapshot {
    pub(super) fn of(shared: &SharedIndex) -> Self {
        loop {
            let covered = shared.durable();
            let state = shared.state();
            // Nothing was committed in between: the state has all documents that are counted, and no run was merged without a document that
            // was removed later.
            if shared.durable() == covered {
                let dropped = dropped_at(shared.now()).max(state.dropped);
                return Snapshot { state, covered, dropped };
            }
        }
    }

    pub(crate) fn new(state: Arc<IndexState>, covered: CoveredLog) -> Self {
        Snapshot { dropped: state.dropped, state, covered }
    }

    /// The number of changes that led to it: documents that were added, removals, links and payloads.
    pub fn sequence(&self) -> u64 {
        self.covered.sequence
    }

    /// The number of documents that were ever added, which is the number that the next one gets.
    pub fn documents(&self) -> u64 {
        self.covered.documents
    }

    /// The number of memtables, which have the newest documents.
    pub fn memtables(&self) -> usize {
        self.state.memtables.len()
    }

    /// The number of runs and memtables in which a key is looked up.
    pub fn parts(&self) -> usize {
        self.state.runs.len() + self.state.memtables.len()
    }

    /// Documents that have expired are seen, as long as their keys are not dropped: the reader compares them with its own clock.
    fn moment(&self) -> Moment {
        Moment { sequence: self.covered.sequence, now: 0 }
    }

    /// Reads all runs once, so that they are in memory, and checks every byte of them.
    ///
    /// # Errors
    /// [`Error::Damaged`] if a run is damaged.
    pub fn read_runs(&self) -> Result<(), Error> {
        let read = |run: &Arc<crate::keys::runs::KeyRun>| Ok(run.file().verify()?);
        self.state.runs.iter().try_for_each(read).map_err(Error::of_index)
    }

    /// The documents from number `first` on that may be similar to one whose sketch has these `keys`, by number: those that share one of them,
    /// or whose fingerprints are near as far as the keys tell.
    ///
    /// # Errors
    /// [`Error::Damaged`] if a file of the index is damaged.
    pub fn candidates(&self, keys: &[u64], first: u64) -> Result<Vec<StoredCandidate>, Error> {
        let mut found = Vec::new();
        self.state.look_up_sketch(keys, first, self.moment(), &mut found).map_err(Error::of_index)?;
        found.retain(|&number| number < self.documents());
        found.sort_unstable();
        let of = |same: &[u64]| StoredCandidate { number: same[0], bands: same.len() as u32 };
        Ok(found.chunk_by(|a, b| a == b).map(of).collect())
    }

    /// The document that has this id, or `None`. If there are several, the newest one.
    ///
    /// # Errors
    /// [`Error::Damaged`] if a file of the index is damaged.
    pub fn find(&self, id: &str) -> Result<Option<Document<'_>>, Error> {
        self.find_from(id, 0)
    }

    /// Like [`Snapshot::find`], among the documents from number `first` on.
    ///
    /// # Errors
    /// [`Error::Damaged`] if a file of the index is damaged.
    pub fn find_from(&self, id: &str, first: u64) -> Result<Option<Document<'_>>, Error> {
        let table = self.state.tables.ids();
        self.newest(table, id_hash(id), first, |document| document.id() == id)
    }

    /// The document that has this URL, in any spelling: see [`normalised_url`](lookalike_html::normalised_url). If there are several, the newest
    /// one.
    ///
    /// # Errors
    /// [`Error::Damaged`] if a file of the index is damaged.
    pub fn find_url(&self, url: &str) -> Result<Option<Document<'_>>, Error> {
        let (table, hash) = (self.state.tables.urls(), url_hash(url));
        self.newest(table, hash, 0, |document| document.stored.url_hash() == Some(hash))
    }

    /// The newest document from number `first` on that has this key in this table, and that `is_it`.
    fn newest(
        &self,
        table: usize,
        key: u64,
        first: u64,
        is_it: impl Fn(&Document<'_>) -> bool,
    ) -> Result<Option<Document<'_>>, Error> {
        let mut found = Vec::new();
        self.state.look_up(table, &[key], first, self.moment(), &mut found).map_err(Error::of_index)?;
        found.retain(|&number| number < self.documents());
        found.sort_unstable_by(|a, b| b.cmp(a));
        for number in found {
            let document = self.document(number)?;
            if is_it(&document) {
                return Ok(Some(document));
            }
        }
        Ok(None)
    }

    /// The document with this number, also if it was removed.
    ///
    /// # Errors
    /// [`Error::NoDocument`], and [`Error::Damaged`] if a file of the index is damaged.
    pub fn document(&self, number: u64) -> Result<Document<'_>, Error> {
        if number >= self.documents() {
            return Err(Error::NoDocument { number });
        }
        let stored = self.state.document(number).map_err(Error::of_index)?;
        let expires = stored
            .expires()
            .map(|_| self.state.expiry(number, self.moment()).map_err(Error::of_index))
            .transpose()?;
        Ok(Document { number, expires, stored, state: &self.state })
    }

    /// Whether the document with this number has expired an hour ago or before, by the times at which documents were added: it is never found
    /// again, and cannot live longer.
    ///
    /// # Errors
    /// [`Error::NoDocument`], and [`Error::Damaged`] if a run is damaged.
    pub fn is_dropped(&self, number: u64) -> Result<bool, Error> {
        let expires = || self.state.expiry(number, Moment::LATEST).map_err(Error::of_index);
        Ok(self.dropped > 0 && expires()? <= self.dropped)
    }

    /// Whether the document with this number was removed.
    pub fn is_removed(&self, number: u64) -> bool {
        self.state.removed.contains_before(number, self.covered.sequence)
    }
}

impl Document<'_> {
    /// Its id.
    pub fn id(&self) -> &str {
        self.stored.id()
    }

    /// The second since 1970 at which it was added, if it is known.
    pub fn time(&self) -> Option<u32> {
        self.stored.time()
    }

    /// The second since 1970 from which on it is not found any more.
    pub fn expires(&self) -> Option<u32> {
        self.expires
    }

    /// Its metadata in JSON.
    pub fn meta(&self) -> Option<&str> {
        self.stored.meta()
    }

    /// Its URL.
    pub fn url(&self) -> Option<&str> {
        self.stored.url()
    }

    /// Its title.
    pub fn title(&self) -> Option<&str> {
        self.stored.title()
    }

    /// Its priority as canonical document of a cluster. Higher is better.
    pub fn priority(&self) -> Option<f64> {
        self.stored.priority()
    }

    /// Its content hash.
    pub fn content(&self) -> ContentHash {
        self.stored.content()
    }

    /// The keys of its sketch, with the bits that an index with these `tables` holds at least, or zeros if it has no features.
    pub fn keys(&self, tables: &Tables) -> Vec<u64> {
        let mut keys = Vec::new();
        self.stored.push_keys(tables, &mut keys);
        keys
    }

    /// Its [signature](crate::NewDocument::signature), or nothing if it has no features.
    pub fn signature(&self) -> &[u8] {
        self.stored.signature()
    }

    /// Its text.
    ///
    /// # Errors
    /// [`Error::NoTexts`] if the index [stores none](Tables::stores_texts), and [`Error::Damaged`] if it cannot be unpacked.
    pub fn text(&self) -> Result<String, Error> {
        self.stored.text(&self.state.dictionaries).map_err(Error::of_index)
    }
}
