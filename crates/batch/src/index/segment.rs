//! What was added to an index at one time, to be read.

use super::format::{DOCUMENTS, PART_DOCUMENTS, RECORD_DOCUMENTS, SegmentFile};
use super::key_set::KeySet;
use super::manifest::SegmentEntry;
use super::update::Document;
use crate::error::Error;
use crate::progress::Interrupt;
use indicatif::ProgressBar;
use lookalike::{ContentHash, UnionFind};
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

/// A document, and what is found by.
pub(super) struct Known<'s> {
    pub(super) id: &'s str,
    pub(super) record: Record<'s>,
}

impl Segment {
    /// Opens the files that `entry` names in `folder`, and refuses others that have their names. Of documents only the header is read.
    pub(super) fn open(folder: &Path, owner: u64, entry: &SegmentEntry, first: u64) -> Result<Self, Error> {
        let open = |file: SegmentFile| -> Result<Log, Error> {
            let path = folder.join(file.name(entry.number));
            let by_place = file.kind() == DOCUMENTS;
            let log = match by_place {
                true => Log::open_by_place(&path, file.kind(), owner),
                false => Log::open(&path, file.kind(), Some(owner)),
            };
            let log = log.map_err(super::damage)?;
            let expected = entry.file(file);
            let what = match log.length() == expected.bytes {
                false => "it has not the length that the index says",
                true if !by_place && log.digest() != expected.digest => {
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

    /// The documents that have one of the `wanted` keys in a band, by their numbers in the whole index; ascending.
    pub(super) fn with_keys(
        &self,
        wanted: &KeySet,
        bands: usize,
        interrupt: &Interrupt,
        bar: &ProgressBar,
    ) -> Result<Vec<u64>, Error> {
        let of_record = |index: usize| -> Result<Vec<u64>, Error> {
            interrupt.check()?;
            let record = self.keys.record(index);
            let keys: &[u64] = record.values(0)?;
            let before = (index * RECORD_DOCUMENTS) as u64;
            let documents = (self.documents - before).min(RECORD_DOCUMENTS as u64) as usize;
            if keys.len() != documents * bands {
                return Err(record
                    .damaged("it has not the keys of as many documents as the index says")
                    .into());
            }
            let first = self.first + before;
            let has = |keys: &&[u64]| keys.iter().any(|&key| wanted.has(key));
            let rows = (first..).zip(keys.chunks_exact(bands));
            let found = rows.filter(|(_, keys)| has(keys)).map(|(document, _)| document).collect();
            bar.inc(size_of_val(keys) as u64);
            Ok(found)
        };
        let found: Vec<Vec<u64>> =
            (0..self.keys.len()).into_par_iter().map(of_record).collect::<Result<_, Error>>()?;
        Ok(found.concat())
    }

    /// Unites in `sets`, of the whole index, what this segment says hangs together.
    pub(super) fn unite(&self, sets: &mut UnionFind, documents: u64) -> Result<(), Error> {
        for record in self.links.records() {
            for &[a, b] in record.values::<[u64; 2]>(0)? {
                if a.max(b) >= documents {
                    return Err(record.damaged("a link is to a document that is not there").into());
                }
                sets.unite(a as u32, b as u32);
            }
        }
        Ok(())
    }

    /// What is known of the document with this number in the whole index.
    pub(super) fn document(&self, number: u64) -> Result<Known<'_>, Error> {
        let index = (number - self.first) as usize;
        let record = self.places.record(index / RECORD_DOCUMENTS);
        let part = index % RECORD_DOCUMENTS / PART_DOCUMENTS;
        let at = index % PART_DOCUMENTS;
        let places: &[Found] = record.values(2 * part)?;
        let ids = record.bytes(2 * part + 1)?;
        match (places.get(at), id(ids, at)) {
            (Some(&found), Some(id)) => Ok(Known { id, record: self.records.at(found)? }),
            _ => Err(record.damaged("a document is missing").into()),
        }
    }

    /// Looks at every byte of every file, and at what they say of one another.
    pub(super) fn verify(
        &self,
        folder: &Path,
        owner: u64,
        entry: &SegmentEntry,
        interrupt: &Interrupt,
    ) -> Result<(), Error> {
        let path = folder.join(SegmentFile::Documents.name(entry.number));
        let records = Log::open(&path, DOCUMENTS, Some(owner)).map_err(super::damage)?;
        for log in [&self.keys, &self.places, &records, &self.links] {
            (0..log.len()).into_par_iter().with_min_len(64).try_for_each(|index| {
                interrupt.check()?;
                Ok::<(), Error>(log.record(index).verify()?)
            })?;
        }
        if records.digest() != entry.file(SegmentFile::Documents).digest
            || records.len() as u64 != self.documents
        {
            let what = "it is not the file that the index says";
            return Err(lookalike_store::Error::Damaged { path, at: 0, what }.into());
        }
        (0..self.documents as usize).into_par_iter().with_min_len(64).try_for_each(|index| {
            interrupt.check()?;
            self.document(self.first + index as u64).map(drop)
        })
    }
}

/// Id number `index` of a part of a record of places.
fn id(part: &[u8], index: usize) -> Option<&str> {
    let number = |at: usize| -> Option<usize> {
        let bytes = part.get(8 * at..8 * at + 8)?.try_into().ok()?;
        usize::try_from(u64::from_le_bytes(bytes)).ok()
    };
    let count = number(0)?;
    let text = part.get(8usize.checked_mul(count.checked_add(1)?)?..)?;
    let start = if index == 0 { 0 } else { number(index)? };
    let end = if index < count { number(index + 1)? } else { return None };
    std::str::from_utf8(text.get(start..end)?).ok()
}

/// Ids as a part of a record of places.
pub(super) fn ids_part<'i>(ids: impl ExactSizeIterator<Item = &'i str> + Clone) -> Vec<u8> {
    let mut part = (ids.len() as u64).to_le_bytes().to_vec();
    let mut end = 0;
    for id in ids.clone() {
        end += id.len() as u64;
        part.extend_from_slice(&end.to_le_bytes());
    }
    ids.for_each(|id| part.extend_from_slice(id.as_bytes()));
    part
}

impl<'s> Known<'s> {
    /// Its band keys, the low bytes of its signature, and its content hash.
    pub(super) fn sketch(
        &self,
        bands: usize,
        num_perm: usize,
    ) -> Result<(&'s [u64], &'s [u8], ContentHash), Error> {
        let keys: &[u64] = self.record.values(Document::KEYS)?;
        let bytes = self.record.bytes(Document::SIGNATURE)?;
        let content: &[ContentHash] = self.record.values(Document::CONTENT)?;
        match content {
            &[content] if keys.len() == bands && bytes.len() == num_perm => Ok((keys, bytes, content)),
            _ => Err(self.record.damaged("a sketch is of another plan").into()),
        }
    }

    /// Its different features.
    pub(super) fn features(&self) -> Result<&'s [u64], Error> {
        Ok(self.record.values(Document::FEATURES)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ids_are_found_again_and_no_others(ids in prop::collection::vec(".{0,9}", 0..12), cut in 0..200_usize) {
            let part = ids_part(ids.iter().map(String::as_str));
            for (index, expected) in ids.iter().enumerate() {
                prop_assert_eq!(id(&part, index), Some(expected.as_str()));
            }
            prop_assert_eq!(id(&part, ids.len()), None);
            // A part that was cut off is no reason to panic.
            let _ = id(&part[..cut.min(part.len())], 3);
        }
    }
}
