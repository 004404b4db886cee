//! A document in the log.

use super::packed::PackedLog;
use super::record::{self, DocumentParts, LogRecord, RecordKind};
use super::texts::{self, Dictionary};
use super::{LogFile, LogFiles, LogPart};
use crate::error::Error;
use crate::keys::tables::Tables;
use lookalike::sketch::ContentHash;
use lookalike_store::Error as StoreError;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// Bytes that are read at once: most records have no more.
pub(crate) const GUESS_BYTES: u64 = 1536;

/// A document in the log, checked.
#[derive(Clone, Debug)]
pub(crate) struct LoggedDocument<'l> {
    bytes: Cow<'l, [u8]>,
    /// Where the body of the record is in `bytes`.
    body: Range<usize>,
    parts: DocumentParts,
    found: DocumentLocation<'l>,
}

/// Where a document is.
#[derive(Clone, Copy, Debug)]
enum DocumentLocation<'l> {
    /// At this byte of a file of frames.
    Frames(&'l LogFile, u64),
    /// At this byte of a packed file.
    Packed(&'l PackedLog, usize),
}

impl<'l> DocumentLocation<'l> {
    /// The error for damage at this place.
    fn damaged(&self, what: &'static str) -> StoreError {
        match self {
            DocumentLocation::Frames(file, at) => file.journal.damaged(*at, what),
            DocumentLocation::Packed(packed, at) => packed.file().damaged(*at, what),
        }
    }

    /// So many bytes from this place on, or fewer at the end of the file.
    fn read(&self, length: u64) -> Result<Cow<'l, [u8]>, StoreError> {
        match *self {
            DocumentLocation::Frames(file, at) => {
                let end = at.saturating_add(length).min(file.written()).max(at);
                match file.journal.bytes(at..end) {
                    // Another process has cut off a frame behind the document.
                    Err(StoreError::Damaged { .. }) => {
                        file.journal.bytes(at..end.min(file.journal.length()?).max(at))
                    }
                    read => read,
                }
            }
            DocumentLocation::Packed(packed, at) => Ok(Cow::Borrowed(packed.bytes(at, length as usize)?)),
        }
    }
}

impl LogFiles {
    /// The document with this number, whose record is at this place.
    ///
    /// # Errors
    /// [`Error::Store`] if another record is there, or a damaged one. [`Error::Gone`] if it is dead, and nothing is left of it.
    pub(crate) fn document(
        &self,
        place: u64,
        number: u64,
        tables: &Tables,
    ) -> Result<LoggedDocument<'_>, Error> {
        let found = match self.part_at(place) {
            Some(LogPart::Frames(file)) => DocumentLocation::Frames(file, place - file.start),
            Some(LogPart::Packed(packed)) => {
                DocumentLocation::Packed(packed, packed.find(place)?.ok_or(Error::Gone { number })?)
            }
            Some(LogPart::Nothing(_)) => return Err(Error::Gone { number }),
            None => return Err(Error::NoDocument { number }),
        };
        let mut bytes = found.read(GUESS_BYTES)?;
        let length = record::length(&bytes).unwrap_or(0);
        if length > bytes.len() {
            bytes = found.read(length as u64)?;
        }
        let bounds = |record: LogRecord<'_>| {
            (record.kind == RecordKind::Document).then(|| record.length - record.body.len()..record.length)
        };
        let body = LogRecord::read(&bytes, number).and_then(bounds);
        let body = body.ok_or_else(|| found.damaged("a document is damaged, or another record is here"))?;
        let parts = DocumentParts::read(&bytes[body.clone()], tables);
        let parts = parts.ok_or_else(|| found.damaged("a document was not written by this plan"))?;
        Ok(LoggedDocument { bytes, body, parts, found })
    }
}

impl LoggedDocument<'_> {
    /// The error for damage of this document.
    pub(crate) fn damaged(&self, what: &'static str) -> StoreError {
        self.found.damaged(what)
    }

    /// Its whole record.
    pub(crate) fn record(&self) -> &[u8] {
        &self.bytes[..self.body.end]
    }

    fn part(&self, range: &Range<usize>) -> &[u8] {
        &self.bytes[self.body.clone()][range.clone()]
    }

    /// Appends the keys of its sketch to `keys`, with the bits that an index holds at least. Without features, it appends zeros.
    pub(crate) fn push_keys(&self, tables: &Tables, keys: &mut Vec<u64>) {
        self.parts.push_keys(&self.bytes[self.body.clone()], tables, keys);
    }

    /// Its [signature](crate::NewDocument::signature), or nothing if it has no features.
    pub(crate) fn signature(&self) -> &[u8] {
        self.part(&self.parts.signature)
    }

    pub(crate) fn content(&self) -> ContentHash {
        self.parts.content
    }

    pub(crate) fn time(&self) -> Option<u32> {
        self.parts.time
    }

    pub(crate) fn expires(&self) -> Option<u32> {
        self.parts.expires
    }

    pub(crate) fn meta(&self) -> Option<&str> {
        self.parts.meta.as_ref().and_then(|range| std::str::from_utf8(self.part(range)).ok())
    }

    pub(crate) fn url(&self) -> Option<&str> {
        self.parts.url.as_ref().and_then(|range| std::str::from_utf8(self.part(range)).ok())
    }

    pub(crate) fn url_hash(&self) -> Option<u64> {
        self.parts.url_hash
    }

    pub(crate) fn title(&self) -> Option<&str> {
        self.parts.title.as_ref().and_then(|range| std::str::from_utf8(self.part(range)).ok())
    }

    pub(crate) fn priority(&self) -> Option<f64> {
        self.parts.priority
    }

    pub(crate) fn id(&self) -> &str {
        // It was checked.
        std::str::from_utf8(self.part(&self.parts.id)).unwrap_or_default()
    }

    /// Its text.
    ///
    /// # Errors
    /// [`Error::NoTexts`], and [`Error::Store`] if it cannot be unpacked.
    pub(crate) fn text(&self, dictionaries: &[Arc<Dictionary>]) -> Result<String, Error> {
        let range = self.parts.text.as_ref().ok_or(Error::NoTexts)?;
        let text = texts::unpack(self.part(range), dictionaries);
        text.ok_or_else(|| self.damaged("a text cannot be unpacked").into())
    }
}
