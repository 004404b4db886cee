//! What is in an index, and whether every byte of it is as it was written.

use crate::disk::files::{FileKind, MANIFEST_FILE};
use crate::disk::manifest::{LogContent, LogEntry};
use crate::encode::id_hash;
use crate::error::Error;
use crate::index::Index;
use crate::log::{LogFile, LogPart};
use crate::progress::{Progress, advance};
use crate::state::{IndexState, Moment};
use rayon::prelude::*;
use serde::Serialize;

/// A summary of an index. Its plan is not part of it: see [`Index::plan`].
#[derive(Clone, Debug, Serialize)]
pub struct IndexInfo {
    /// The version of the program that wrote to it last.
    pub lookalike: String,
    /// Documents that were ever added to it.
    pub documents: u64,
    /// The sum of the shingles of each document.
    pub features: u64,
    /// Clusters of two or more documents.
    pub clusters: u64,
    /// Documents that are in such clusters.
    pub clustered: u64,
    /// How often documents were added to it.
    pub updates: u64,
    /// The bytes of all its files.
    pub bytes: u64,
    /// The weights of features.
    pub weights: &'static str,
    /// The documents that the frequencies of weights by TF-IDF were counted in.
    pub counted_documents: Option<u64>,
    /// The features that weights by levels give a level.
    pub levels: Option<usize>,
    /// Whether the texts of documents are stored.
    pub stores_texts: bool,
    /// Whether every byte was verified.
    pub verified: bool,
    /// Its files.
    pub files: Vec<IndexFile>,
}

/// A file of an index.
#[derive(Clone, Debug, Serialize)]
pub struct IndexFile {
    /// Its name in the folder.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// The number of documents in it, if it holds documents.
    pub documents: Option<u64>,
}

/// How much of an index is verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verify {
    /// The parts that must be read to summarise it.
    Outline,
    /// Every byte.
    Everything,
}

impl Index {
    /// Summarises the index. With [`Verify::Everything`] every byte is verified first, and `progress` counts files of the log and runs:
    /// see [`Index::parts`].
    ///
    /// # Errors
    /// [`Error`] if damage is found, and [`Error::Interrupted`].
    pub fn info(&self, verify: Verify, progress: &dyn Progress) -> Result<IndexInfo, Error> {
        if verify == Verify::Everything {
            self.verify(progress).map_err(Error::of_index)?;
        }
        let (clusters, clustered) = self.linked().map_err(Error::of_index)?.count();
        let files = self.file_infos();
        Ok(IndexInfo {
            lookalike: self.manifest.lookalike.clone(),
            documents: self.documents(),
            features: self.tail.covered.features,
            clusters,
            clustered,
            updates: self.manifest.updates,
            bytes: files.iter().map(|file| file.bytes).sum(),
            weights: self.weights().weighting().name(),
            counted_documents: self.weights().frequencies().map(|table| table.documents()),
            levels: self.plan().levels().map(|levels| levels.len()),
            stores_texts: self.tables().stores_texts(),
            verified: verify == Verify::Everything,
            files,
        })
    }

    fn file_infos(&self) -> Vec<IndexFile> {
        let manifest = &self.manifest;
        let info = |name: String, bytes, documents| IndexFile { name, bytes, documents };
        let mut files = vec![info(MANIFEST_FILE.to_owned(), self.manifest_bytes, None)];
        let firsts = manifest.log.iter().skip(1).map(|file| file.first).chain([self.documents()]);
        let of_log = |((file, end), part): ((&LogEntry, u64), &LogPart)| {
            let documents = match part {
                LogPart::Packed(packed) => Some(packed.documents()),
                LogPart::Frames(_) | LogPart::Nothing(_) => Some(end - file.first),
            };
            match file.content {
                LogContent::Frames => Some(info(FileKind::Log.name(file.number), file.bytes, documents)),
                LogContent::Packed(packed) => {
                    Some(info(FileKind::Packed.name(packed.number), packed.bytes, documents))
                }
                LogContent::Nothing => None,
            }
        };
        files.extend(manifest.log.iter().zip(firsts).zip(self.state.log.parts()).filter_map(of_log));
        files.extend(
            manifest
                .runs
                .iter()
                .map(|run| info(FileKind::Run.name(run.file.number), run.file.bytes, Some(run.documents))),
        );
        let others = [
            (FileKind::Links, &manifest.links[..]),
            (FileKind::Removed, manifest.removed.as_slice()),
            (FileKind::Extended, manifest.extended.as_slice()),
            (FileKind::Dictionary, &manifest.dictionaries),
            (FileKind::Frequencies, manifest.frequencies.as_slice()),
        ];
        for (kind, entries) in others {
            files.extend(entries.iter().map(|entry| info(kind.name(entry.number), entry.bytes, None)));
        }
        files
    }

    fn verify(&self, progress: &dyn Progress) -> Result<(), Error> {
        for (entry, part) in self.manifest.log.iter().zip(self.state.log.parts()) {
            match part {
                LogPart::Frames(file) => verify_frames(entry, file, progress)?,
                LogPart::Packed(packed) => packed.file().verify()?,
                LogPart::Nothing(_) => {}
            }
            advance(progress, 1)?;
        }
        for log in &self.links {
            log.records().try_for_each(|record| record.verify())?;
        }
        for run in &self.state.runs {
            run.file().verify()?;
            let numbers: Vec<u64> = run.range().collect();
            numbers.par_chunks(1024).try_for_each(|numbers| {
                advance(progress, 0)?;
                self.verify_documents(numbers)
            })?;
            advance(progress, 1)?;
        }
        Ok(())
    }

    /// Checks that these documents are in the log, and are found by their keys and ids.
    fn verify_documents(&self, numbers: &[u64]) -> Result<(), Error> {
        let IndexState { tables, dictionaries, .. } = &self.state;
        let (mut keys, mut found) = (Vec::new(), Vec::new());
        for &number in numbers {
            let is_dead = self.state.is_dead(number, Moment::LATEST)?;
            let document = match self.state.document(number) {
                Err(Error::Gone { .. }) if is_dead => continue,
                document => document?,
            };
            if tables.stores_texts() {
                document.text(dictionaries)?;
            }
            keys.clear();
            found.clear();
            if !document.content().is_empty() {
                document.push_keys(tables, &mut keys);
            }
            let url = document.url_hash();
            let expected = if is_dead { 0 } else { keys.len() + 1 + usize::from(url.is_some()) };
            self.state.look_up_sketch(&keys, 0, Moment::LATEST, &mut found)?;
            let id = id_hash(document.id());
            self.state.look_up(tables.ids(), &[id], 0, Moment::LATEST, &mut found)?;
            let mut find_url =
                |url: &u64| self.state.look_up(tables.urls(), &[*url], 0, Moment::LATEST, &mut found);
            url.iter().try_for_each(&mut find_url)?;
            if found.iter().filter(|&&other| other == number).count() != expected {
                return Err(document.damaged("a document is not found by its keys").into());
            }
        }
        Ok(())
    }
}

/// Checks every frame of a file of the log.
fn verify_frames(entry: &LogEntry, file: &LogFile, progress: &dyn Progress) -> Result<(), Error> {
    let journal = &file.journal;
    let mut end = journal.start();
    // What follows in the last file was checked when it was opened.
    for frame in journal.frames(end, entry.bytes) {
        end = frame?.end();
        advance(progress, 0)?;
    }
    match end == entry.end() {
        true => Ok(()),
        false => Err(journal.damaged(end.at, "it is not the file that the index says").into()),
    }
}
