//! Makes the changes of another index in a copy of it.

use super::changes::Changes;
use crate::error::Error;
use crate::keys::memtable::DocumentKeys;
use crate::life::NEVER;
use crate::live::writer::NewRecord;
use crate::live::{IndexReader, IndexWriter};
use crate::log::record::{DocumentParts, LogRecord, RecordKind};
use crate::log::texts::Dictionary;

impl IndexReader {
    /// Takes a dictionary of the index that this one is a copy of, unless it has it already.
    ///
    /// # Errors
    /// [`Error::NotFollowed`] if it has another one of this number, and [`Error::Store`] if it cannot be written.
    pub fn add_dictionary(&self, number: u8, bytes: Vec<u8>) -> Result<(), Error> {
        let state = self.0.state();
        match state.dictionaries.iter().find(|known| known.number == number) {
            Some(known) if known.bytes == bytes => Ok(()),
            None if usize::from(number) == state.dictionaries.len() + 1 => {
                self.0.add_dictionary(Dictionary::new(number, bytes))
            }
            _ => Err(Error::NotFollowed { reason: "its texts are compressed with another dictionary" }),
        }
    }
}

impl IndexWriter {
    /// Makes `changes` of the index that this one is a copy of. They are on the disk after the next [commit](IndexWriter::commit). Returns the links
    /// among them, and the sequence number of each.
    ///
    /// # Errors
    /// [`Error::NotFollowed`] if they do not follow the changes of this index, or are not of its plan. Nothing of them is made then.
    ///
    /// # Panics
    /// If the frame [has no room](IndexWriter::has_room) for their documents.
    pub fn apply(&mut self, changes: &Changes) -> Result<Vec<(u64, [u64; 2])>, Error> {
        if (changes.sequence(), changes.first_document()) != (self.sequence(), self.documents()) {
            return Err(Error::NotFollowed { reason: "its changes do not follow those of this index" });
        }
        let steps =
            self.steps(changes).ok_or(Error::NotFollowed { reason: "its documents have another plan" })?;
        let mut links = Vec::new();
        for step in steps {
            match step {
                CheckedChange::Add { record, parts, keys, id } => {
                    let new = NewRecord {
                        keys: DocumentKeys { sketch: &keys, id, url: parts.url_hash },
                        time: parts.time,
                        expires: parts.expires.unwrap_or(NEVER),
                        shingles: parts.content.shingles(),
                    };
                    self.push(&new, |_, frame| frame.extend_from_slice(record));
                }
                CheckedChange::Remove(number) => self.remove(number),
                CheckedChange::Purge(number) => self.purge(number),
                CheckedChange::Extend(number, second) => self.push_extension(number, second),
                CheckedChange::Link([first, member]) => {
                    links.push((self.sequence(), [first, member]));
                    self.link(first, member);
                }
                CheckedChange::Payload(payload) => self.push_payload(payload),
            }
        }
        Ok(links)
    }

    /// The changes, all checked. `None` if one cannot be made.
    fn steps<'c>(&self, changes: &'c Changes) -> Option<Vec<CheckedChange<'c>>> {
        let tables = &self.shared.state().tables;
        let (mut steps, mut at, mut number) = (Vec::new(), 0, changes.first_document());
        while let Some(bytes) = changes.records().get(at..).filter(|bytes| !bytes.is_empty()) {
            let record = LogRecord::read(bytes, number)?;
            at += record.length;
            let is_there = |other: u64| (other < number).then_some(other);
            steps.push(match record.kind {
                RecordKind::Document => {
                    number += 1;
                    let parts = DocumentParts::read(record.body, tables)?;
                    let (keys, id) = parts.keys_and_id(record.body, tables)?;
                    CheckedChange::Add { record: &bytes[..record.length], parts: Box::new(parts), keys, id }
                }
                RecordKind::Removal => CheckedChange::Remove(is_there(record.numbers::<1>()?[0])?),
                RecordKind::Purge => CheckedChange::Purge(is_there(record.numbers::<1>()?[0])?),
                RecordKind::Extension => {
                    let (number, second) = record.extension()?;
                    CheckedChange::Extend(is_there(number)?, second)
                }
                RecordKind::Link => {
                    let [first, member] = record.numbers()?;
                    CheckedChange::Link([is_there(first)?, is_there(member)?])
                }
                RecordKind::Payload => CheckedChange::Payload(record.body),
            });
        }
        Some(steps)
    }
}

/// A change that is checked.
enum CheckedChange<'c> {
    Add { record: &'c [u8], parts: Box<DocumentParts>, keys: Vec<u64>, id: u64 },
    Remove(u64),
    Purge(u64),
    Extend(u64, u32),
    Link([u64; 2]),
    Payload(&'c [u8]),
}
