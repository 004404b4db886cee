//! Reads a segment: the documents that were added to an index at one time.

use crate::error::{Error, as_damage};
use crate::format::{DocumentRecord, PART_DOCUMENTS, RECORD_DOCUMENTS, SegmentFile};
use crate::key_set::{KeySet, KeyStart, start_of};
use crate::manifest::SegmentEntry;
use crate::progress::{Progress, advance};
use lookalike::Plan;
use lookalike::sketch::ContentHash;
use lookalike_store::{Found, Log, Record};
use rayon::prelude::*;
use std::path::Path;

/// A segment of an index.
#[derive(Debug)]
pub(crate) struct Segment {
    /// The number of its first document in the whole index.
    pub(crate) first: u64,
    /// The number of documents in it.
    count: u64,
    keys: Log,
    places: Log,
    documents: Log,
    links: Log,
}

/// The record of a document: see [`DocumentRecord`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredDocument<'s>(Record<'s>);

/// The sketch and the id of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredSketch<'s> {
    /// A band key for each band.
    pub(crate) keys: &'s [u64],
    /// The low byte of each value of the signature.
    pub(crate) signature: &'s [u8],
    /// The content hash.
    pub(crate) content: ContentHash,
    /// The id.
    pub(crate) id: &'s str,
}

/// The files of places and documents, opened to be read from start to end.
struct WholeFiles {
    places: Log,
    documents: Log,
}

impl Segment {
    /// Opens the files that `entry` names in `folder`, and refuses other files with these names. `first` is the number of its first
    /// document. Reads the keys, the links, the tables of the places, and the header of the documents.
    pub(crate) fn open(folder: &Path, owner: u64, entry: &SegmentEntry, first: u64) -> Result<Self, Error> {
        let open = |file| open_file(folder, owner, entry, file);
        let segment = Segment {
            first,
            count: entry.documents,
            keys: open(SegmentFile::Keys)?,
            places: open(SegmentFile::Places)?,
            documents: open(SegmentFile::Documents)?,
            links: open(SegmentFile::Links)?,
        };
        let records = entry.documents.div_ceil(RECORD_DOCUMENTS as u64);
        for (log, file) in [(&segment.keys, SegmentFile::Keys), (&segment.places, SegmentFile::Places)] {
            if log.len() as u64 != records {
                let path = folder.join(file.name(entry.number));
                let what = "it has not as many records as the index says";
                return Err(lookalike_store::Error::Damaged { path, at: 0, what }.into());
            }
        }
        Ok(segment)
    }

    /// The bytes of its file of keys.
    pub(crate) fn key_bytes(&self) -> u64 {
        self.keys.length()
    }

    /// The documents that have the start of a key in `sets`, by their numbers in the whole index, ascending. `sets` has a set for each
    /// band. `progress` counts the bytes of keys.
    pub(crate) fn with_starts(&self, sets: &[KeySet], progress: &dyn Progress) -> Result<Vec<u64>, Error> {
        advance(progress, 0)?;
        let of_record = |index: usize| -> Result<Vec<u64>, Error> {
            let record = self.keys.record(index);
            let starts: &[KeyStart] = record.values(0)?;
            let before = (index * RECORD_DOCUMENTS) as u64;
            let documents = (self.count - before).min(RECORD_DOCUMENTS as u64) as usize;
            if starts.len() != documents * sets.len() {
                return Err(record
                    .damaged("it has not the keys of as many documents as the index says")
                    .into());
            }
            let first = self.first + before;
            let has =
                |starts: &&[KeyStart]| sets.iter().zip(*starts).any(|(set, &start)| set.has_start(start));
            let rows = (first..).zip(starts.chunks_exact(sets.len()));
            let found = rows.filter(|(_, starts)| has(starts)).map(|(document, _)| document).collect();
            advance(progress, size_of_val(starts) as u64)?;
            Ok(found)
        };
        let found: Vec<Vec<u64>> =
            (0..self.keys.len()).into_par_iter().map(of_record).collect::<Result<_, Error>>()?;
        Ok(found.concat())
    }

    /// Its links. They are between documents of the whole index, which has `documents` documents.
    pub(crate) fn links(&self, documents: u64) -> Result<Vec<&[[u64; 2]]>, Error> {
        let mut all = Vec::with_capacity(self.links.len());
        for record in self.links.records() {
            let links: &[[u64; 2]] = record.values(0)?;
            if links.as_flattened().iter().any(|&number| number >= documents) {
                return Err(record.damaged("a link is to a document that is not there").into());
            }
            all.push(links);
        }
        Ok(all)
    }

    /// The place of the document with this number: its record, the part of the record, and its position in that part.
    fn position<'s>(&self, places: &'s Log, number: u64) -> (Record<'s>, usize, usize) {
        let index = (number - self.first) as usize;
        let record = places.record(index / RECORD_DOCUMENTS);
        (record, index % RECORD_DOCUMENTS / PART_DOCUMENTS, index % PART_DOCUMENTS)
    }

    /// Requests the place of the document with this number from the disk.
    pub(crate) fn expect_place(&self, number: u64) {
        let (record, part, _) = self.position(&self.places, number);
        record.expect(part);
    }

    /// Where the record of the document with this number is.
    pub(crate) fn place(&self, number: u64) -> Result<Found, Error> {
        self.place_in(&self.places, number)
    }

    fn place_in(&self, places: &Log, number: u64) -> Result<Found, Error> {
        let (record, part, position) = self.position(places, number);
        let place = record.values(part)?.get(position).copied();
        place.ok_or_else(|| record.damaged("a document is missing").into())
    }

    /// Requests the sketch of the document at this place from the disk.
    pub(crate) fn expect(&self, place: Found, plan: &Plan) {
        let sketch = size_of::<u64>() * plan.banding().bands + plan.num_perm();
        self.documents.expect(place, sketch + HEAD_BYTES);
    }

    /// The document at this place.
    pub(crate) fn at(&self, place: Found) -> Result<StoredDocument<'_>, Error> {
        Ok(StoredDocument(self.documents.at(place)?))
    }

    /// Checks every byte of every file, and that the files agree with each other.
    pub(crate) fn verify(
        &self,
        folder: &Path,
        plan: &Plan,
        entry: &SegmentEntry,
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        let path = |file: SegmentFile| folder.join(file.name(entry.number));
        // Opened again: these are read from start to end, and so the system may read ahead.
        let open =
            |file: SegmentFile| Log::open(&path(file), file.kind(), Some(plan.id().0)).map_err(as_damage);
        let files =
            WholeFiles { places: open(SegmentFile::Places)?, documents: open(SegmentFile::Documents)? };
        for log in [&self.keys, &files.places, &files.documents, &self.links] {
            (0..log.len()).into_par_iter().with_min_len(64).try_for_each(|index| {
                advance(progress, 0)?;
                Ok::<(), Error>(log.record(index).verify()?)
            })?;
        }
        if files.documents.digest() != entry.file(SegmentFile::Documents).digest
            || files.documents.len() as u64 != self.count
        {
            let what = "it is not the file that the index says";
            return Err(
                lookalike_store::Error::Damaged { path: path(SegmentFile::Documents), at: 0, what }.into()
            );
        }
        (0..self.keys.len()).into_par_iter().try_for_each(|index| {
            advance(progress, 0)?;
            self.verify_keys(index, &files, plan)
        })
    }

    /// Checks that record `index` of the keys holds the starts of the keys of its documents.
    fn verify_keys(&self, index: usize, files: &WholeFiles, plan: &Plan) -> Result<(), Error> {
        let record = self.keys.record(index);
        let starts: &[KeyStart] = record.values(0)?;
        let first = self.first + (index * RECORD_DOCUMENTS) as u64;
        let documents = (self.first + self.count - first).min(RECORD_DOCUMENTS as u64);
        let mut expected = Vec::with_capacity(starts.len());
        for number in first..first + documents {
            let document = files.documents.at(self.place_in(&files.places, number)?)?;
            let keys = StoredDocument(document).sketch(plan)?.keys;
            expected.extend(keys.iter().copied().map(start_of));
        }
        if expected == starts {
            Ok(())
        } else {
            Err(record.damaged("the keys are those of other documents").into())
        }
    }
}

/// Opens a file of the segment `entry`, and refuses another file with its name.
fn open_file(folder: &Path, owner: u64, entry: &SegmentEntry, file: SegmentFile) -> Result<Log, Error> {
    let path = folder.join(file.name(entry.number));
    let log = match file {
        SegmentFile::Documents => Log::open_by_place(&path, file.kind(), owner),
        SegmentFile::Places => Log::open_sparse(&path, file.kind(), Some(owner)),
        SegmentFile::Keys | SegmentFile::Links => Log::open(&path, file.kind(), Some(owner)),
    };
    let log = log.map_err(as_damage)?;
    let expected = entry.file(file);
    let what = match log.length() == expected.bytes {
        false => "it has not the length that the index says",
        true if file != SegmentFile::Documents && log.digest() != expected.digest => {
            "it is not the file that the index says"
        }
        true => return Ok(log),
    };
    Err(lookalike_store::Error::Damaged { path, at: log.length().min(expected.bytes), what }.into())
}

/// Bytes of a record before its features, without keys and signature: a table of 96, the content hash, and an id of usual length.
const HEAD_BYTES: usize = 144;

impl<'s> StoredDocument<'s> {
    /// Its sketch and its id.
    ///
    /// # Errors
    /// [`Error::Store`] if the sketch was made by another plan, or if the record is damaged.
    pub(crate) fn sketch(self, plan: &Plan) -> Result<StoredSketch<'s>, Error> {
        let StoredDocument(record) = self;
        let keys: &[u64] = record.values(DocumentRecord::KEYS)?;
        let signature = record.bytes(DocumentRecord::SIGNATURE)?;
        let content: &[ContentHash] = record.values(DocumentRecord::CONTENT)?;
        let id = std::str::from_utf8(record.bytes(DocumentRecord::ID)?);
        let id = id.map_err(|_| record.damaged("an id is no text"))?;
        match content {
            &[content] if keys.len() == plan.banding().bands && signature.len() == plan.num_perm() => {
                Ok(StoredSketch { keys, signature, content, id })
            }
            _ => Err(record.damaged("a sketch is of another plan").into()),
        }
    }

    /// Requests its features from the disk.
    pub(crate) fn expect_features(self) {
        self.0.expect(DocumentRecord::FEATURES);
    }

    /// Its distinct features.
    pub(crate) fn features(self) -> Result<&'s [u64], Error> {
        Ok(self.0.values(DocumentRecord::FEATURES)?)
    }
}
