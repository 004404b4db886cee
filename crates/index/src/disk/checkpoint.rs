//! Makes a manifest name what only the log has: the documents of a memtable, links and removals.

use crate::disk::files::{FileKind, RECORD_LINKS};
use crate::disk::manifest::{FileEntry, Manifest, RunEntry};
use crate::disk::new_files::NewFiles;
use crate::error::Error;
use crate::keys::memtable::Memtable;
use crate::life::Lives;
use crate::life::removed::RemovedDocuments;
use crate::log::texts::Dictionary;
use crate::recover::Tail;
use crate::state::IndexState;
use lookalike::Weights;
use lookalike_store::{LogWriter, PagedSummary, bytes_of};
use std::path::{Path, PathBuf};

/// Writes the files that the next manifest will name.
#[derive(Debug)]
pub(crate) struct Checkpoint<'f> {
    pub(crate) folder: &'f Path,
    /// The id of the plan.
    pub(crate) owner: u64,
    pub(crate) manifest: &'f mut Manifest,
    /// The files that were written.
    pub(crate) files: &'f mut NewFiles,
}

impl Checkpoint<'_> {
    /// The number and the path of the next file.
    pub(crate) fn new_file(&mut self, kind: FileKind) -> (u64, PathBuf) {
        let number = self.manifest.take_number();
        (number, self.files.add(self.folder.join(kind.name(number))))
    }

    /// Names all of `tail`, whose documents are in the memtables of `state`. Returns the paths of their runs.
    ///
    /// # Errors
    /// [`Error::Store`] if a file cannot be written.
    pub(crate) fn add_tail(&mut self, state: &IndexState, tail: &Tail) -> Result<Vec<PathBuf>, Error> {
        let Some((end, entry)) = tail.end.zip(self.manifest.log.last_mut()) else { return Ok(Vec::new()) };
        if tail.covered == self.manifest.covered {
            return Ok(Vec::new());
        }
        (entry.bytes, entry.chain) = (end.at, end.chain);
        self.manifest.covered = tail.covered;
        self.manifest.payload.clone_from(&tail.payload);
        self.manifest.purging.clone_from(&tail.purging);
        self.add_links(&tail.links)?;
        self.set_removed(&state.removed)?;
        self.set_extended(state)?;
        let add = |memtable| {
            let lives = state.lives_of(memtable, 0);
            self.add_memtable(memtable, &lives)
        };
        state.memtables.iter().map(|memtable| &**memtable).map(add).collect()
    }

    /// Writes a dictionary, which has the next number.
    ///
    /// # Errors
    /// [`Error::Store`] if the file cannot be written.
    pub(crate) fn add_dictionary(&mut self, dictionary: &Dictionary) -> Result<(), Error> {
        let (number, path) = self.new_file(FileKind::Dictionary);
        let (bytes, digest) = dictionary.write(&path, self.owner)?;
        self.manifest.dictionaries.push(FileEntry { number, bytes, digest });
        Ok(())
    }

    /// Writes the document frequencies of a new index, if its weights have some.
    ///
    /// # Errors
    /// [`Error::Store`] if the file cannot be written.
    pub(crate) fn add_frequencies(&mut self, weights: &Weights) -> Result<(), Error> {
        let Some(table) = weights.frequencies().filter(|_| self.manifest.frequencies.is_none()) else {
            return Ok(());
        };
        let (number, path) = self.new_file(FileKind::Frequencies);
        let mut log = LogWriter::create(&path, FileKind::Frequencies.kind(), self.owner)?;
        log.append(&[&table.to_bytes()])?;
        log.sync()?;
        self.manifest.frequencies = Some(FileEntry { number, bytes: log.length(), digest: log.digest() });
        Ok(())
    }

    /// Writes a run of the documents of `memtable`, which follow those of the last run. Returns its path.
    ///
    /// # Errors
    /// [`Error::Store`] if a file cannot be written.
    pub(crate) fn add_memtable(&mut self, memtable: &Memtable, lives: &Lives) -> Result<PathBuf, Error> {
        let (number, path) = self.new_file(FileKind::Run);
        let summary = memtable.write_run(&path, self.owner, lives)?;
        self.drop_expired(lives);
        let range = memtable.range();
        self.add_run(number, summary, range.end - range.start);
        Ok(path)
    }

    /// Takes note that what is left of expired documents is dropped.
    pub(crate) fn drop_expired(&mut self, lives: &Lives) {
        self.manifest.dropped = lives.dropped().max(self.manifest.dropped);
    }

    /// Names a run that was written, which has so many documents.
    pub(crate) fn add_run(&mut self, number: u64, summary: PagedSummary, documents: u64) {
        let file = FileEntry { number, bytes: summary.bytes, digest: summary.digest };
        self.manifest.runs.push(RunEntry { file, documents });
    }

    /// Writes a file of links, if there are any.
    ///
    /// # Errors
    /// [`Error::Store`] if the file cannot be written.
    pub(crate) fn add_links(&mut self, links: &[[u64; 2]]) -> Result<(), Error> {
        if links.is_empty() {
            return Ok(());
        }
        let (number, path) = self.new_file(FileKind::Links);
        let mut log = LogWriter::create(&path, FileKind::Links.kind(), self.owner)?;
        for links in links.chunks(RECORD_LINKS) {
            log.append(&[bytes_of(links)])?;
        }
        log.sync()?;
        self.manifest.links.push(FileEntry { number, bytes: log.length(), digest: log.digest() });
        Ok(())
    }

    /// Replaces the file of removed documents.
    ///
    /// # Errors
    /// [`Error::Store`] if the file cannot be written.
    pub(crate) fn set_removed(&mut self, removed: &RemovedDocuments) -> Result<(), Error> {
        let numbers = removed.numbers();
        if numbers.is_empty() {
            return Ok(());
        }
        let (number, path) = self.new_file(FileKind::Removed);
        let mut log = LogWriter::create(&path, FileKind::Removed.kind(), self.owner)?;
        log.append(&[bytes_of(&numbers)])?;
        log.sync()?;
        self.manifest.removed = Some(FileEntry { number, bytes: log.length(), digest: log.digest() });
        Ok(())
    }

    /// Replaces the file of documents that expire later than their run says. Merging puts the new expiries into runs.
    ///
    /// # Errors
    /// [`Error::Store`] if the file cannot be written, or a run is damaged.
    pub(crate) fn set_extended(&mut self, state: &IndexState) -> Result<(), Error> {
        let (mut numbers, mut seconds) = (Vec::new(), Vec::new());
        for (number, second) in state.extended.entries() {
            let own = match state.own_expiry(number) {
                // All states share these entries. A document that came after this state is read from the log again, with its expiry.
                Err(Error::NoDocument { .. }) => continue,
                own => own?,
            };
            if own < second {
                numbers.push(number);
                seconds.push(second);
            }
        }
        self.manifest.extended = None;
        if !numbers.is_empty() {
            let (number, path) = self.new_file(FileKind::Extended);
            let mut log = LogWriter::create(&path, FileKind::Extended.kind(), self.owner)?;
            log.append(&[bytes_of(&numbers), bytes_of(&seconds)])?;
            log.sync()?;
            self.manifest.extended = Some(FileEntry { number, bytes: log.length(), digest: log.digest() });
        }
        Ok(())
    }
}
