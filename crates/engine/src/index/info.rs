//! What is in an index, and whether all of it is as it was written.

use super::format::{MANIFEST_FILE, SegmentFile};
use super::{Index, damaged};
use crate::error::Error;
use crate::plan_summary::PlanSummary;
use crate::progress::{Monitor, Unit};
use serde::Serialize;
use std::path::Path;

/// What there is to tell of an index.
#[derive(Clone, Debug, Serialize)]
pub struct IndexInfo {
    /// The version of the program that wrote to it last.
    pub lookalike: String,
    /// Documents in it.
    pub documents: u64,
    /// Different features, document by document.
    pub features: u64,
    /// Clusters of two or more.
    pub clusters: u64,
    /// Documents that are in one of these.
    pub clustered: u64,
    /// How often something was added to it.
    pub segments: u64,
    /// All of it.
    pub bytes: u64,
    /// Was every byte looked at?
    pub verified: bool,
    /// What is where.
    pub files: Vec<IndexFile>,
    /// How its documents are sketched and compared.
    pub plan: PlanSummary,
}

/// A file of an index.
#[derive(Clone, Debug, Serialize)]
pub struct IndexFile {
    /// Its name in the folder.
    pub name: String,
    /// How long it is.
    pub bytes: u64,
    /// How many documents it is of.
    pub documents: u64,
}

impl Index {
    /// What there is to tell of the index in `folder`; every byte of it is looked at, if `verify`.
    ///
    /// # Errors
    /// [`Error`]: if it is damaged, as far as was looked.
    pub fn info(folder: &Path, verify: Verify, monitor: &Monitor) -> Result<IndexInfo, Error> {
        let index = Self::open(folder)?;
        if verify == Verify::Everything {
            index.verify(monitor).map_err(damaged)?;
        }
        let (clusters, clustered) = index.linked().map_err(damaged)?.count();
        let entries = &index.manifest.segments;
        let of_segments = entries.iter().flat_map(|entry| {
            SegmentFile::ALL.map(|file| IndexFile {
                name: file.name(entry.number),
                bytes: entry.file(file).bytes,
                documents: entry.documents,
            })
        });
        let documents = index.documents();
        let manifest = IndexFile { name: MANIFEST_FILE.to_owned(), bytes: index.manifest_bytes, documents };
        let files: Vec<IndexFile> = [manifest].into_iter().chain(of_segments).collect();
        Ok(IndexInfo {
            lookalike: index.manifest.lookalike.clone(),
            documents,
            features: entries.iter().map(|entry| entry.features).sum(),
            clusters,
            clustered,
            segments: entries.len() as u64,
            bytes: files.iter().map(|file| file.bytes).sum(),
            verified: verify == Verify::Everything,
            files,
            plan: PlanSummary::new(&index.plan),
        })
    }

    fn verify(&self, monitor: &Monitor) -> Result<(), Error> {
        let bar = monitor.stage("verify", Unit::Parts, Some(self.segments.len() as u64));
        let entries = self.manifest.segments.iter().zip(&self.segments);
        let done = entries.map(|(entry, segment)| {
            segment.verify(&self.folder, &self.plan, entry, &monitor.interrupt)?;
            bar.inc(1);
            Ok(())
        });
        let done = done.collect::<Result<(), Error>>();
        drop(bar);
        done
    }
}

/// How closely is looked at an index?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verify {
    /// At what must be read to tell of it.
    Outline,
    /// At every byte.
    Everything,
}
