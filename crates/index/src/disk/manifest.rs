//! The manifest: the one file that says which other files are part of the index.

use crate::disk::files::{FileKind, MANIFEST, MANIFEST_FILE, MANIFEST_PART};
use crate::error::{Error, as_damage};
use lookalike::Plan;
use lookalike_store::{JournalEnd, Log, LogWriter};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The content of `index.lookalike`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    /// The version of the program that wrote it.
    pub(crate) lookalike: String,
    /// A [`Plan`], not parsed yet: this program may not know all plans.
    pub(crate) plan: serde_json::Value,
    /// The number of the next file.
    pub(crate) next_file: u64,
    /// How often documents were added in one piece.
    pub(crate) updates: u64,
    /// The identity of the inputs that were added last, or `None` if they cannot be read twice.
    pub(crate) inputs: Option<u64>,
    /// What the runs, the links and the removed documents have of the log.
    pub(crate) covered: CoveredLog,
    /// The last payload in the covered part of the log.
    pub(crate) payload: Option<Vec<u8>>,
    /// The files of the log, in order.
    pub(crate) log: Vec<LogEntry>,
    /// The runs, in the order of their documents. Together they have all documents.
    pub(crate) runs: Vec<RunEntry>,
    /// The files of links.
    pub(crate) links: Vec<FileEntry>,
    /// The removed documents, if there are any.
    pub(crate) removed: Option<FileEntry>,
    /// The documents that expire later than their run says, if there are any.
    pub(crate) extended: Option<FileEntry>,
    /// Removed documents whose text is to be gone from the disk, and is not yet.
    pub(crate) purging: Vec<u64>,
    /// Documents that expire at this second or before are dead, and what is left of them may be gone.
    pub(crate) dropped: u32,
    /// The dictionaries, in the order of their numbers.
    pub(crate) dictionaries: Vec<FileEntry>,
    /// The document frequencies of weights by TF-IDF.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) frequencies: Option<FileEntry>,
    /// Whether the texts of documents are stored.
    #[serde(default = "stores_texts", skip_serializing_if = "Clone::clone")]
    pub(crate) stores_texts: bool,
}

/// What manifests that do not say it mean.
fn stores_texts() -> bool {
    true
}

/// A part of the log, from its start on. What follows is read when the index is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CoveredLog {
    /// The number of documents in it, with those that were removed.
    pub(crate) documents: u64,
    /// The sum of the shingles of each document.
    pub(crate) features: u64,
    /// The sequence number of the record that follows.
    pub(crate) sequence: u64,
    /// The place in the whole log at which it ends.
    pub(crate) place: u64,
    /// The checksum of its last frame, which covers all before it.
    pub(crate) chain: u64,
}

/// A file, with its length and digest. A file that was cut off, or comes from another index, has others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileEntry {
    /// Its number.
    pub(crate) number: u64,
    /// Its length.
    pub(crate) bytes: u64,
    /// See [`Log::digest`], and the same of other kinds of files.
    pub(crate) digest: u64,
}

/// A file of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogEntry {
    /// Its number.
    pub(crate) number: u64,
    /// The place in the whole log at which it starts.
    pub(crate) start: u64,
    /// Its length. The last file may be longer.
    pub(crate) bytes: u64,
    /// The checksum of its last frame, which covers all before it.
    pub(crate) chain: u64,
    /// The number of the first document in it.
    pub(crate) first: u64,
    /// What is left of it.
    pub(crate) content: LogContent,
}

/// What is left of a file of the log. Its places are the same in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum LogContent {
    /// All of it: it is a file of frames.
    Frames,
    /// The documents that are alive, in a packed file.
    Packed(FileEntry),
    /// Nothing.
    Nothing,
}

/// A run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunEntry {
    /// The file.
    pub(crate) file: FileEntry,
    /// The number of documents in it.
    pub(crate) documents: u64,
}

/// A manifest that was read from its file.
pub(crate) struct ManifestFile {
    /// The manifest.
    pub(crate) manifest: Manifest,
    /// Its plan.
    pub(crate) plan: Plan,
    /// The length of the file.
    pub(crate) bytes: u64,
}

impl LogEntry {
    /// Where the frames end that the manifest knows.
    pub(crate) fn end(&self) -> JournalEnd {
        JournalEnd { at: self.bytes, chain: self.chain }
    }
}

impl Manifest {
    /// The manifest of an empty index of `plan`.
    pub(crate) fn new(plan: &Plan, stores_texts: bool) -> Self {
        Manifest {
            lookalike: env!("CARGO_PKG_VERSION").to_owned(),
            plan: serde_json::to_value(plan).unwrap_or_default(),
            next_file: 1,
            updates: 0,
            inputs: None,
            covered: CoveredLog::default(),
            payload: None,
            log: Vec::new(),
            runs: Vec::new(),
            links: Vec::new(),
            removed: None,
            extended: None,
            purging: Vec::new(),
            dropped: 0,
            dictionaries: Vec::new(),
            frequencies: None,
            stores_texts,
        }
    }

    /// Reads the manifest of the index in `folder`.
    pub(crate) fn read(folder: &Path) -> Result<ManifestFile, Error> {
        let path = folder.join(MANIFEST_FILE);
        let log = Log::open(&path, MANIFEST, None).map_err(as_damage)?;
        let damaged = |what| lookalike_store::Error::Damaged { path: path.clone(), at: 0, what };
        if log.len() != 1 {
            return Err(damaged("a manifest is one record").into());
        }
        let manifest: Manifest = serde_json::from_slice(log.record(0).bytes(0)?)
            .map_err(|_| damaged("it does not describe an index as this program does"))?;
        match Plan::deserialize(&manifest.plan).ok() {
            Some(plan) if plan.id().0 == log.owner() => {
                manifest.check().map_err(damaged)?;
                Ok(ManifestFile { manifest, plan, bytes: log.length() })
            }
            plan => Err(match plan.and_then(|plan| plan.older_version(log.owner())) {
                Some(version) => Error::OlderSketches { path, version },
                None => Error::OtherProgram { path, version: manifest.lookalike },
            }),
        }
    }

    /// Checks that its numbers agree with each other. The error says which do not.
    fn check(&self) -> Result<(), &'static str> {
        let documents = self.runs.iter().try_fold(0_u64, |sum, run| sum.checked_add(run.documents));
        if documents != Some(self.covered.documents) {
            return Err("its runs have not as many documents as it says");
        }
        let ends = self.log.iter().map(|file| file.start.checked_add(file.bytes));
        let starts = self.log.iter().skip(1).map(|file| Some(file.start));
        if ends.clone().zip(starts).any(|(end, start)| end != start) || ends.clone().any(|end| end.is_none())
        {
            return Err("the files of its log do not follow each other");
        }
        let is_early = |file: &LogEntry| {
            file.content != LogContent::Frames && file.start + file.bytes > self.covered.place
        };
        if self.log.iter().any(is_early) {
            return Err("a file of its log is packed before runs have its documents");
        }
        if self.covered.place > self.log_end().at {
            return Err("its log is shorter than it says");
        }
        Ok(())
    }

    /// The names of all files that it names.
    pub(crate) fn files(&self) -> impl Iterator<Item = (u64, FileKind)> {
        let log = self.log.iter().filter_map(|file| match file.content {
            LogContent::Frames => Some((file.number, FileKind::Log)),
            LogContent::Packed(packed) => Some((packed.number, FileKind::Packed)),
            LogContent::Nothing => None,
        });
        let runs = self.runs.iter().map(|run| (run.file.number, FileKind::Run));
        let of = |files: &[FileEntry], kind| {
            files.iter().map(|file| (file.number, kind)).collect::<Vec<_>>().into_iter()
        };
        log.chain(runs)
            .chain(of(&self.links, FileKind::Links))
            .chain(of(self.removed.as_slice(), FileKind::Removed))
            .chain(of(self.extended.as_slice(), FileKind::Extended))
            .chain(of(&self.dictionaries, FileKind::Dictionary))
            .chain(of(self.frequencies.as_slice(), FileKind::Frequencies))
    }

    /// Covers more of the log. What it covers is on the disk, so the file is that long.
    pub(crate) fn cover(&mut self, covered: CoveredLog) {
        self.covered = covered;
        self.extend_log(covered);
    }

    /// Takes note that the log is on the disk up to the end of `covered`.
    pub(crate) fn extend_log(&mut self, covered: CoveredLog) {
        if let Some(last) = self.log.last_mut()
            && let Some(bytes) = covered.place.checked_sub(last.start)
            && bytes > last.bytes
        {
            (last.bytes, last.chain) = (bytes, covered.chain);
        }
    }

    /// Takes the number of the next file.
    pub(crate) fn take_number(&mut self) -> u64 {
        self.next_file += 1;
        self.next_file - 1
    }

    /// The place in the whole log at which its next file starts, and the checksum that this file continues.
    pub(crate) fn log_end(&self) -> JournalEnd {
        self.log.last().map_or(JournalEnd { at: 0, chain: 0 }, |file| JournalEnd {
            at: file.start + file.bytes,
            chain: file.chain,
        })
    }

    /// Writes it to the disk beside the manifest in `folder`, and returns its path. All files that it names must be on the disk already.
    pub(crate) fn write(&self, folder: &Path, owner: u64) -> Result<PathBuf, Error> {
        let part = folder.join(MANIFEST_PART);
        let json = serde_json::to_vec(self).unwrap_or_default();
        let mut log = LogWriter::create(&part, MANIFEST, owner)?;
        log.append(&[&json])?;
        log.sync()?;
        Ok(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_do_not_agree_are_reported() {
        let manifest = |runs: &[u64], log: &[(u64, u64)], documents, place| Manifest {
            covered: CoveredLog { documents, place, ..CoveredLog::default() },
            log: log
                .iter()
                .map(|&(start, bytes)| LogEntry {
                    number: 1,
                    start,
                    bytes,
                    chain: 0,
                    first: 0,
                    content: LogContent::Frames,
                })
                .collect(),
            runs: runs
                .iter()
                .map(|&documents| RunEntry { file: FileEntry { number: 1, bytes: 0, digest: 0 }, documents })
                .collect(),
            ..Manifest::new(&Plan::default(), true)
        };
        assert_eq!(manifest(&[4, 3], &[(0, 10), (10, 5)], 7, 12).check(), Ok(()));
        assert!(manifest(&[4, 3], &[(0, 10)], 8, 0).check().is_err());
        assert!(manifest(&[u64::MAX, 3], &[(0, 10)], 2, 0).check().is_err());
        assert!(manifest(&[7], &[(0, 10), (11, 5)], 7, 0).check().is_err());
        assert!(manifest(&[7], &[(0, u64::MAX), (9, 5)], 7, 0).check().is_err());
        assert!(manifest(&[7], &[(0, 10)], 7, 11).check().is_err());
    }
}
