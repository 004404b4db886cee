//! What an index is made of: the one file that says which others count.

use super::format::{MANIFEST, MANIFEST_FILE, MANIFEST_PART, SegmentFile};
use crate::error::Error;
use lookalike::Plan;
use lookalike_corpus::Completed;
use lookalike_store::{Log, LogWriter};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The content of `index.lookalike`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    /// The version of the program that wrote it.
    pub(super) lookalike: String,
    /// A [`Plan`]. Another program may know plans that this one does not.
    pub(super) plan: serde_json::Value,
    /// Those of all segments.
    pub(super) documents: u64,
    pub(super) segments: Vec<SegmentEntry>,
}

/// What was added at one time.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SegmentEntry {
    pub(super) number: u64,
    pub(super) documents: u64,
    /// Different features, document by document.
    pub(super) features: u64,
    /// Which inputs they are of: see [`repeated`](super::repeated). `None` if nobody could read the same again.
    pub(super) inputs: Option<u64>,
    /// In the order of [`SegmentFile::ALL`].
    pub(super) files: [FileEntry; 4],
}

/// Which file is meant: not one that was cut off at the end of a record, nor one of another index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileEntry {
    pub(super) bytes: u64,
    /// See [`Log::digest`].
    pub(super) digest: u64,
}

impl SegmentEntry {
    pub(super) fn file(&self, file: SegmentFile) -> FileEntry {
        self.files[file as usize]
    }
}

impl Manifest {
    /// Of an index of `plan` without documents.
    pub(super) fn new(plan: &Plan) -> Self {
        let lookalike = env!("CARGO_PKG_VERSION").to_owned();
        let plan = serde_json::to_value(plan).unwrap_or_default();
        Manifest { lookalike, plan, documents: 0, segments: Vec::new() }
    }

    /// The manifest of the index in `folder`, its plan, and how many bytes it takes.
    pub(super) fn read(folder: &Path) -> Result<(Self, Plan, u64), Error> {
        let path = folder.join(MANIFEST_FILE);
        let log = Log::open(&path, MANIFEST, None).map_err(super::damage)?;
        let damaged = |what| lookalike_store::Error::Damaged { path: path.clone(), at: 0, what };
        if log.len() != 1 {
            return Err(damaged("a manifest is one record").into());
        }
        let manifest: Manifest = serde_json::from_slice(log.record(0).bytes(0)?)
            .map_err(|_| damaged("it does not describe an index as this program does"))?;
        match Plan::deserialize(&manifest.plan).ok() {
            Some(plan) if plan.id().0 == log.owner() => Ok((manifest, plan, log.length())),
            plan => Err(match plan.and_then(|plan| plan.older_version(log.owner())) {
                Some(version) => Error::IndexOfOlderSketches { path, version },
                None => Error::IndexOfOtherProgram { path, version: manifest.lookalike },
            }),
        }
    }

    /// Says what does not add up, if something does not.
    pub(super) fn check(&self) -> Result<(), &'static str> {
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

    /// Writes it beside the one in `folder`, whose place it takes when it is published: all files that it names are on the disk.
    pub(super) fn write(&self, folder: &Path, plan: &Plan) -> Result<Completed, Error> {
        let part = folder.join(MANIFEST_PART);
        let json = serde_json::to_vec(self).unwrap_or_default();
        let mut log = LogWriter::create(&part, MANIFEST, plan.id().0)?;
        log.append(&[&json])?;
        log.sync()?;
        let write = |source| lookalike_store::Error::Write { path: part.clone(), source };
        Ok(Completed::of_file(part.clone(), folder.join(MANIFEST_FILE)).map_err(write)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_do_not_add_up_are_told() {
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
