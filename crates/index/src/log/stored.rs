//! A document in the log.

use super::record::{self, DocumentParts, Kind, Record};
use super::texts::{self, Dictionary};
use super::{LogFile, LogFiles};
use crate::error::Error;
use crate::keys::key;
use lookalike::Plan;
use lookalike::sketch::ContentHash;
use lookalike_store::Error as StoreError;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// Bytes that are read at once: most records have no more.
pub(crate) const GUESS_BYTES: u64 = 1536;

/// A document in the log, checked.
#[derive(Clone, Debug)]
pub(crate) struct StoredDocument<'l> {
    bytes: Cow<'l, [u8]>,
    /// Where the body of the record is in `bytes`.
    body: Range<usize>,
    parts: DocumentParts,
    found: Found<'l>,
}

/// Where something is in the log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<'l> {
    pub(crate) file: &'l LogFile,
    /// The byte of the file.
    pub(crate) at: u64,
}

impl Found<'_> {
    /// The error for damage at this place.
    pub(crate) fn damaged(&self, what: &'static str) -> StoreError {
        self.file.journal.damaged(self.at, what)
    }
}

impl LogFiles {
    /// The document with this number, whose record is at this place.
    ///
    /// # Errors
    /// [`Error::Store`] if another record is there, or a damaged one.
    pub(crate) fn document(&self, place: u64, number: u64, plan: &Plan) -> Result<StoredDocument<'_>, Error> {
        let nowhere = || StoreError::Damaged {
            path: self.0.first().map(|file| file.journal.path().to_owned()).unwrap_or_default(),
            at: place,
            what: "the log has no such place",
        };
        let (file, at) = self.file_at(place).ok_or_else(nowhere)?;
        let found = Found { file, at };
        let end = file.written();
        let read = |length: u64| file.journal.bytes(at..at.saturating_add(length).min(end).max(at));
        let mut bytes = read(GUESS_BYTES)?;
        let length = record::length(&bytes).unwrap_or(0);
        if length > bytes.len() {
            bytes = read(length as u64)?;
        }
        let bounds = |record: Record<'_>| {
            (record.kind == Kind::Document).then(|| record.length - record.body.len()..record.length)
        };
        let body = Record::read(&bytes, number).and_then(bounds);
        let body = body.ok_or_else(|| found.damaged("a document is damaged, or another record is here"))?;
        let parts = DocumentParts::read(&bytes[body.clone()], plan.banding().bands, plan.num_perm());
        let parts = parts.ok_or_else(|| found.damaged("a document was not written by this plan"))?;
        Ok(StoredDocument { bytes, body, parts, found })
    }
}

impl StoredDocument<'_> {
    /// The error for damage of this document.
    pub(crate) fn damaged(&self, what: &'static str) -> StoreError {
        self.found.damaged(what)
    }

    fn part(&self, range: &Range<usize>) -> &[u8] {
        &self.bytes[self.body.clone()][range.clone()]
    }

    /// Appends its band keys to `keys`, with the bits that an index holds. Without features, it appends zeros.
    pub(crate) fn push_keys(&self, bands: usize, keys: &mut Vec<u64>) {
        match self.content().is_empty() {
            true => keys.resize(keys.len() + bands, 0),
            false => key::unpack(self.part(&self.parts.keys), bands, keys),
        }
    }

    /// The low byte of each value of its signature, or nothing if it has no features.
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
    /// [`Error::Store`] if it cannot be unpacked.
    pub(crate) fn text(&self, dictionaries: &[Arc<Dictionary>]) -> Result<String, Error> {
        let text = texts::unpack(self.part(&self.parts.text), dictionaries);
        text.ok_or_else(|| self.damaged("a text cannot be unpacked").into())
    }
}
