//! The manifest: the one file that says which other files are part of the index.

use crate::error::{Error, as_damage};
use crate::format::{MANIFEST, MANIFEST_FILE, MANIFEST_PART, SegmentFile};
use lookalike::Plan;
use lookalike_store::{Log, LogWriter};
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
    /// The documents of all segments.
    pub(crate) documents: u64,
    /// The segments, in the order in which they were added.
    pub(crate) segments: Vec<SegmentEntry>,
}

/// A segment: the documents that were added at one time.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SegmentEntry {
    /// Its number, from 1 on.
    pub(crate) number: u64,
    /// The documents in it.
    pub(crate) documents: u64,
    /// The sum of the distinct features of each document.
    pub(crate) features: u64,
    /// The identity of the inputs that its documents come from, or `None` if they cannot be read twice.
    pub(crate) inputs: Option<u64>,
    /// In the order of [`SegmentFile::ALL`].
    pub(crate) files: [FileEntry; 4],
}

/// The length and the digest of a file. A file that was cut off at the end of a record, or comes from another index, has others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileEntry {
    /// Its length.
    pub(crate) bytes: u64,
    /// See [`Log::digest`].
    pub(crate) digest: u64,
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

impl SegmentEntry {
    /// The entry of one of its files.
    pub(crate) fn file(&self, file: SegmentFile) -> FileEntry {
        self.files[file as usize]
    }
}

impl Manifest {
    /// The manifest of an empty index of `plan`.
    pub(crate) fn new(plan: &Plan) -> Self {
        let lookalike = env!("CARGO_PKG_VERSION").to_owned();
        let plan = serde_json::to_value(plan).unwrap_or_default();
        Manifest { lookalike, plan, documents: 0, segments: Vec::new() }
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
                Ok(ManifestFile { manifest, plan, bytes: log.length() })
            }
            plan => Err(match plan.and_then(|plan| plan.older_version(log.owner())) {
                Some(version) => Error::OlderSketches { path, version },
                None => Error::OtherProgram { path, version: manifest.lookalike },
            }),
        }
    }

    /// Checks that its numbers agree with each other. The error says which do not.
    pub(crate) fn check(&self) -> Result<(), &'static str> {
        if (1..).zip(&self.segments).any(|(number, segment)| segment.number != number) {
            return Err("its segments are not numbered one by one");
        }
        let documents =
            self.segments.iter().try_fold(0_u64, |sum, segment| sum.checked_add(segment.documents));
        if documents != Some(self.documents) {
            return Err("its segments have not as many documents as it says");
        }
        let features = self.segments.iter().try_fold(0_u64, |sum, segment| sum.checked_add(segment.features));
        features.map(drop).ok_or("its segments have more features than there can be")
    }

    /// Writes it to the disk beside the manifest in `folder`, and returns its path. All files that it names must be on the disk already.
    pub(crate) fn write(&self, folder: &Path, plan: &Plan) -> Result<PathBuf, Error> {
        let part = folder.join(MANIFEST_PART);
        let json = serde_json::to_vec(self).unwrap_or_default();
        let mut log = LogWriter::create(&part, MANIFEST, plan.id().0)?;
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
        let manifest = |segments: &[(u64, u64)], documents| Manifest {
            documents,
            segments: segments
                .iter()
                .map(|&(number, documents)| SegmentEntry {
                    number,
                    documents,
                    features: 0,
                    inputs: None,
                    files: [FileEntry { bytes: 0, digest: 0 }; 4],
                })
                .collect(),
            ..Manifest::new(&Plan::default())
        };
        assert_eq!(manifest(&[(1, 4), (2, 3)], 7).check(), Ok(()));
        assert!(manifest(&[(1, 4), (2, 3)], 8).check().is_err());
        assert!(manifest(&[(1, u64::MAX), (2, 3)], 2).check().is_err());
        assert!(manifest(&[(u64::MAX, 3)], 3).check().is_err());
        assert!(manifest(&[(2, 3)], 3).check().is_err());
    }
}
