//! What is in an index, and whether every byte of it is as it was written.

use crate::error::Error;
use crate::format::{MANIFEST_FILE, SegmentFile};
use crate::index::Index;
use crate::progress::{Progress, advance};
use serde::Serialize;

/// A summary of an index. Its plan is not part of it: see [`Index::plan`].
#[derive(Clone, Debug, Serialize)]
pub struct IndexInfo {
    /// The version of the program that wrote to it last.
    pub lookalike: String,
    /// Documents in it.
    pub documents: u64,
    /// The sum of the distinct features of each document.
    pub features: u64,
    /// Clusters of two or more documents.
    pub clusters: u64,
    /// Documents that are in such clusters.
    pub clustered: u64,
    /// How often documents were added to it.
    pub segments: u64,
    /// The bytes of all its files.
    pub bytes: u64,
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
    /// The number of documents in it.
    pub documents: u64,
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
    /// Summarises the index. With [`Verify::Everything`] every byte is verified first, and `progress` counts segments.
    ///
    /// # Errors
    /// [`Error`] if damage is found, and [`Error::Interrupted`].
    pub fn info(&self, verify: Verify, progress: &dyn Progress) -> Result<IndexInfo, Error> {
        if verify == Verify::Everything {
            self.verify(progress).map_err(Error::of_index)?;
        }
        let (clusters, clustered) = self.linked().map_err(Error::of_index)?.count();
        let entries = &self.manifest.segments;
        let of_segments = entries.iter().flat_map(|entry| {
            SegmentFile::ALL.map(|file| IndexFile {
                name: file.name(entry.number),
                bytes: entry.file(file).bytes,
                documents: entry.documents,
            })
        });
        let documents = self.documents();
        let manifest = IndexFile { name: MANIFEST_FILE.to_owned(), bytes: self.manifest_bytes, documents };
        let files: Vec<IndexFile> = [manifest].into_iter().chain(of_segments).collect();
        Ok(IndexInfo {
            lookalike: self.manifest.lookalike.clone(),
            documents,
            features: entries.iter().map(|entry| entry.features).sum(),
            clusters,
            clustered,
            segments: self.segments(),
            bytes: files.iter().map(|file| file.bytes).sum(),
            verified: verify == Verify::Everything,
            files,
        })
    }

    fn verify(&self, progress: &dyn Progress) -> Result<(), Error> {
        for (entry, segment) in self.manifest.segments.iter().zip(&self.segments) {
            segment.verify(&self.folder, &self.plan, entry, progress)?;
            advance(progress, 1)?;
        }
        Ok(())
    }
}
