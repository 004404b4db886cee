//! Writes new documents into files of their own, beside the segments that are there.

use crate::error::Error;
use crate::format::{DocumentRecord, PART_DOCUMENTS, RECORD_DOCUMENTS, RECORD_LINKS, SegmentFile};
use crate::index::Index;
use crate::key_set::{KeyStart, start_of};
use crate::manifest::{FileEntry, SegmentEntry};
use crate::update::{NewFiles, Update};
use lookalike::sketch::ContentHash;
use lookalike_store::{Found, LogWriter, bytes_of};
use std::sync::Arc;

/// Writes the next segment of an index. If it is dropped, its files are removed.
///
/// The same documents in the same order give the same bytes.
#[derive(Debug)]
pub struct SegmentWriter {
    // Removed before the index, which may remove its folder.
    files: NewFiles,
    index: Arc<Index>,
    keys: LogWriter,
    places: LogWriter,
    documents: LogWriter,
    links: LogWriter,
    /// The starts of the keys of documents that are in no record yet.
    last_starts: Vec<KeyStart>,
    /// The places of these documents.
    last_places: Vec<Found>,
    /// The number of documents.
    count: u64,
    /// The sum of the distinct features of each document.
    features: u64,
    /// The length of `documents` when it was last flushed.
    flushed: u64,
}

/// A document that is added to an index. Its sketch is made by the plan of the index.
#[derive(Clone, Copy, Debug)]
pub struct NewDocument<'a> {
    /// A band key for each band.
    pub keys: &'a [u64],
    /// The low byte of each value of the signature.
    pub signature: &'a [u8],
    /// The content hash.
    pub content: ContentHash,
    /// The id.
    pub id: &'a str,
    /// The distinct features.
    pub features: &'a [u64],
}

/// Bytes of documents that are collected before they are written: enough that the calls of the system take no time.
const BUFFER_BYTES: u64 = 1 << 20;

impl SegmentWriter {
    /// Starts the next segment of `index`.
    ///
    /// # Errors
    /// [`Error::ReadOnly`] if the index was opened to be read only, and [`Error::Store`] if a file cannot be written.
    pub fn create(index: Arc<Index>) -> Result<Self, Error> {
        if !index.is_to_grow() {
            return Err(Error::ReadOnly { folder: index.folder.clone() });
        }
        let (number, owner) = (index.next_number(), index.plan.id().0);
        let mut files = NewFiles::default();
        let mut create = |file: SegmentFile| {
            let path = index.folder.join(file.name(number));
            files.0.push(path.clone());
            LogWriter::create(&path, file.kind(), owner)
        };
        let keys = create(SegmentFile::Keys)?;
        let places = create(SegmentFile::Places)?;
        let documents = create(SegmentFile::Documents)?;
        let links = create(SegmentFile::Links)?;
        Ok(SegmentWriter {
            files,
            index,
            keys,
            places,
            documents,
            links,
            last_starts: Vec::new(),
            last_places: Vec::new(),
            count: 0,
            features: 0,
            flushed: 0,
        })
    }

    /// Appends the next document. In the whole index its number is [`Index::documents`] plus the number of documents before it.
    ///
    /// # Errors
    /// [`Error::Store`] if it cannot be written.
    ///
    /// # Panics
    /// If its sketch has other lengths than the plan of the index says.
    pub fn push(&mut self, document: NewDocument<'_>) -> Result<(), Error> {
        assert_eq!(document.keys.len(), self.index.plan.banding().bands, "a key for each band");
        assert_eq!(document.signature.len(), self.index.plan.num_perm(), "a byte for each value");
        let mut parts: [&[u8]; DocumentRecord::PARTS] = [&[]; DocumentRecord::PARTS];
        parts[DocumentRecord::KEYS] = bytes_of(document.keys);
        parts[DocumentRecord::SIGNATURE] = document.signature;
        let content = [document.content];
        parts[DocumentRecord::CONTENT] = bytes_of(&content);
        parts[DocumentRecord::ID] = document.id.as_bytes();
        parts[DocumentRecord::FEATURES] = bytes_of(document.features);
        self.last_places.push(self.documents.push(&parts));
        self.last_starts.extend(document.keys.iter().copied().map(start_of));
        self.count += 1;
        self.features += document.features.len() as u64;
        if self.documents.length() - self.flushed >= BUFFER_BYTES {
            self.documents.flush()?;
            self.flushed = self.documents.length();
        }
        if self.last_places.len() == RECORD_DOCUMENTS {
            self.end_record()?;
        }
        Ok(())
    }

    /// Appends the records of keys and places for the last documents.
    fn end_record(&mut self) -> Result<(), Error> {
        self.keys.append(&[bytes_of(&self.last_starts)])?;
        self.last_starts.clear();
        let parts: Vec<&[u8]> = self.last_places.chunks(PART_DOCUMENTS).map(bytes_of).collect();
        self.places.append(&parts)?;
        self.last_places.clear();
        Ok(())
    }

    /// Writes all of the segment to the disk.
    ///
    /// Each of `links` holds the first document of a cluster, and another member of it, by their numbers in the whole index. `inputs`
    /// identifies the inputs that the documents come from: see [`Index::last_inputs`].
    ///
    /// # Errors
    /// [`Error::Store`] if a file cannot be written.
    pub fn finish(mut self, links: &[[u64; 2]], inputs: Option<u64>) -> Result<Update, Error> {
        if self.count == 0 {
            return Ok(Update::new(self.index, None, NewFiles::default()));
        }
        if !self.last_places.is_empty() {
            self.end_record()?;
        }
        self.documents.flush()?;
        for links in links.chunks(RECORD_LINKS) {
            self.links.append(&[bytes_of(links)])?;
        }
        let segment = SegmentEntry {
            number: self.index.next_number(),
            documents: self.count,
            features: self.features,
            inputs,
            // In the order of `SegmentFile::ALL`.
            files: [
                complete(&self.keys)?,
                complete(&self.places)?,
                complete(&self.documents)?,
                complete(&self.links)?,
            ],
        };
        Ok(Update::new(self.index, Some(segment), self.files))
    }
}

/// Waits until all of a file is on the disk.
fn complete(log: &LogWriter) -> Result<FileEntry, Error> {
    log.sync()?;
    Ok(FileEntry { bytes: log.length(), digest: log.digest() })
}
