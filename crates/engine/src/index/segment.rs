//! What was added to an index at one time, to be read.

use super::format::{PART_DOCUMENTS, RECORD_DOCUMENTS, SegmentFile};
use super::key_set::{KeySet, KeyStart, start_of};
use super::manifest::SegmentEntry;
use super::update::Document;
use crate::error::Error;
use crate::progress::Interrupt;
use crate::progress::Stage;
use lookalike::Plan;
use lookalike::sketch::ContentHash;
use lookalike_store::{Found, Log, Record};
use rayon::prelude::*;
use std::path::Path;

/// A segment of an index.
#[derive(Debug)]
pub(super) struct Segment {
    /// The number of its first document in the whole index.
    pub(super) first: u64,
    pub(super) documents: u64,
    keys: Log,
    places: Log,
    records: Log,
    links: Log,
}

/// What is known of a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'s>(Record<'s>);

/// What a document is found by, and named.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sketched<'s> {
    pub(super) keys: &'s [u64],
    /// The low bytes of its signature.
    pub(super) bytes: &'s [u8],
    pub(super) content: ContentHash,
    pub(super) id: &'s str,
}

impl Segment {
    /// Opens the files that `entry` names in `folder`, and refuses others that have their names. Of documents only the header is read,
    /// of places the tables.
    pub(super) fn open(folder: &Path, owner: u64, entry: &SegmentEntry, first: u64) -> Result<Self, Error> {
        let open = |file: SegmentFile| -> Result<Log, Error> {
            let path = folder.join(file.name(entry.number));
            let log = match file {
                SegmentFile::Documents => Log::open_by_place(&path, file.kind(), owner),
                SegmentFile::Places => Log::open_sparse(&path, file.kind(), Some(owner)),
                SegmentFile::Keys | SegmentFile::Links => Log::open(&path, file.kind(), Some(owner)),
            };
            let log = log.map_err(super::damage)?;
            let expected = entry.file(file);
            let what = match log.length() == expected.bytes {
                false => "it has not the length that the index says",
                true if file != SegmentFile::Documents && log.digest() != expected.digest => {
                    "it is not the file that the index says"
                }
                true => return Ok(log),
            };
            Err(lookalike_store::Error::Damaged { path, at: log.length().min(expected.bytes), what }.into())
        };
        let segment = Segment {
            first,
            documents: entry.documents,
            keys: open(SegmentFile::Keys)?,
            places: open(SegmentFile::Places)?,
            records: open(SegmentFile::Documents)?,
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

    /// How many bytes its keys take.
    pub(super) fn key_bytes(&self) -> u64 {
        self.keys.length()
    }

    /// The documents that have the start of a `wanted` key in its band, by their numbers in the whole index; ascending. `wanted` has a
    /// set for each band.
    pub(super) fn with_starts(
        &self,
        wanted: &[KeySet],
        interrupt: &Interrupt,
        bar: &Stage,
    ) -> Result<Vec<u64>, Error> {
        let of_record = |index: usize| -> Result<Vec<u64>, Error> {
            interrupt.check()?;
            let record = self.keys.record(index);
            let starts: &[KeyStart] = record.values(0)?;
            let before = (index * RECORD_DOCUMENTS) as u64;
            let documents = (self.documents - before).min(RECORD_DOCUMENTS as u64) as usize;
            if starts.len() != documents * wanted.len() {
                return Err(record
                    .damaged("it has not the keys of as many documents as the index says")
                    .into());
            }
            let first = self.first + before;
            let has =
                |starts: &&[KeyStart]| wanted.iter().zip(*starts).any(|(set, &start)| set.may_have(start));
            let rows = (first..).zip(starts.chunks_exact(wanted.len()));
            let found = rows.filter(|(_, starts)| has(starts)).map(|(document, _)| document).collect();
            bar.inc(size_of_val(starts) as u64);
            Ok(found)
        };
        let found: Vec<Vec<u64>> =
            (0..self.keys.len()).into_par_iter().map(of_record).collect::<Result<_, Error>>()?;
        Ok(found.concat())
    }

    /// What this segment says hangs together in the whole index, which has so many documents.
    pub(super) fn links(&self, documents: u64) -> Result<Vec<&[[u64; 2]]>, Error> {
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

    /// Where the place of a document is: the record, its part, and which of that part. By its number in the whole index.
    fn place_of<'s>(&self, places: &'s Log, number: u64) -> (Record<'s>, usize, usize) {
        let index = (number - self.first) as usize;
        let record = places.record(index / RECORD_DOCUMENTS);
        (record, index % RECORD_DOCUMENTS / PART_DOCUMENTS, index % PART_DOCUMENTS)
    }

    /// The place of this document will be asked for soon.
    pub(super) fn expect_place(&self, number: u64) {
        let (record, part, _) = self.place_of(&self.places, number);
        record.expect(part);
    }

    /// Where the record of the document with this number in the whole index is.
    pub(super) fn place(&self, number: u64) -> Result<Found, Error> {
        self.place_in(&self.places, number)
    }

    fn place_in(&self, places: &Log, number: u64) -> Result<Found, Error> {
        let (record, part, at) = self.place_of(places, number);
        let place = record.values(part)?.get(at).copied();
        place.ok_or_else(|| record.damaged("a document is missing").into())
    }

    /// What a document at this place is found by will be asked for soon.
    pub(super) fn expect(&self, place: Found, plan: &Plan) {
        let sketch = size_of::<u64>() * plan.banding().bands + plan.num_perm();
        self.records.expect(place, sketch + HEAD_BYTES);
    }

    /// What is known of the document at this place.
    pub(super) fn at(&self, place: Found) -> Result<Known<'_>, Error> {
        Ok(Known(self.records.at(place)?))
    }

    /// Looks at every byte of every file, and at what they say of one another.
    pub(super) fn verify(
        &self,
        folder: &Path,
        plan: &Plan,
        entry: &SegmentEntry,
        interrupt: &Interrupt,
    ) -> Result<(), Error> {
        let path = |file: SegmentFile| folder.join(file.name(entry.number));
        // All of it is read, and so read ahead.
        let open =
            |file: SegmentFile| Log::open(&path(file), file.kind(), Some(plan.id().0)).map_err(super::damage);
        let (places, records) = (open(SegmentFile::Places)?, open(SegmentFile::Documents)?);
        for log in [&self.keys, &places, &records, &self.links] {
            (0..log.len()).into_par_iter().with_min_len(64).try_for_each(|index| {
                interrupt.check()?;
                Ok::<(), Error>(log.record(index).verify()?)
            })?;
        }
        if records.digest() != entry.file(SegmentFile::Documents).digest
            || records.len() as u64 != self.documents
        {
            let what = "it is not the file that the index says";
            return Err(
                lookalike_store::Error::Damaged { path: path(SegmentFile::Documents), at: 0, what }.into()
            );
        }
        (0..self.keys.len()).into_par_iter().try_for_each(|index| {
            interrupt.check()?;
            self.verify_keys(index, (&places, &records), plan)
        })
    }

    /// Looks at the documents of record `index` of the keys, whose starts these must be.
    fn verify_keys(&self, index: usize, (places, records): (&Log, &Log), plan: &Plan) -> Result<(), Error> {
        let record = self.keys.record(index);
        let starts: &[KeyStart] = record.values(0)?;
        let first = self.first + (index * RECORD_DOCUMENTS) as u64;
        let documents = (self.first + self.documents - first).min(RECORD_DOCUMENTS as u64);
        let mut expected = Vec::with_capacity(starts.len());
        for number in first..first + documents {
            let record = records.at(self.place_in(places, number)?)?;
            let keys = Known(record).sketch(plan)?.keys;
            expected.extend(keys.iter().copied().map(start_of));
        }
        if expected == starts {
            Ok(())
        } else {
            Err(record.damaged("the keys are those of other documents").into())
        }
    }
}

/// Bytes of a record before its features, beside keys and signature: its table of 96, the content hash, and an id of usual length.
const HEAD_BYTES: usize = 144;

impl<'s> Known<'s> {
    /// What it is found by, if that was made by `plan`.
    pub(super) fn sketch(self, plan: &Plan) -> Result<Sketched<'s>, Error> {
        let Known(record) = self;
        let keys: &[u64] = record.values(Document::KEYS)?;
        let bytes = record.bytes(Document::SIGNATURE)?;
        let content: &[ContentHash] = record.values(Document::CONTENT)?;
        let id = std::str::from_utf8(record.bytes(Document::ID)?);
        let id = id.map_err(|_| record.damaged("an id is no text"))?;
        match content {
            &[content] if keys.len() == plan.banding().bands && bytes.len() == plan.num_perm() => {
                Ok(Sketched { keys, bytes, content, id })
            }
            _ => Err(record.damaged("a sketch is of another plan").into()),
        }
    }

    /// Its features will be asked for soon.
    pub(super) fn expect_features(self) {
        self.0.expect(Document::FEATURES);
    }

    /// Its different features.
    pub(super) fn features(self) -> Result<&'s [u64], Error> {
        Ok(self.0.values(Document::FEATURES)?)
    }
}
