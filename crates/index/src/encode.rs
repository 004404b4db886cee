//! Turns documents into the bytes of a frame of the log.

use crate::keys::memtable::DocumentKeys;
use crate::keys::tables::Tables;
use crate::life::NEVER;
use crate::log::FRAME_HEAD_BYTES;
use crate::log::record::{NewDocument, push_body, push_document};
use crate::log::texts::{Dictionary, compress};
use std::sync::{Arc, OnceLock};
use xxhash_rust::xxh3::xxh3_64;

/// Encodes documents. Most of it is the compression of texts, so each thread encodes its own.
///
/// A copy of it has the same dictionary, also if that is trained later.
#[derive(Clone, Debug)]
pub struct DocumentEncoder {
    tables: Arc<Tables>,
    dictionary: Arc<OnceLock<Arc<Dictionary>>>,
}

/// A document as the body of a record of the log, which needs nothing but its number.
#[derive(Clone, Debug)]
pub struct EncodedDocument {
    pub(crate) body: Vec<u8>,
    has_features: bool,
    /// The hash of its id.
    id: u64,
    /// The hash of its URL, if it has one.
    url: Option<u64>,
    /// The second since 1970 at which it was added, if that is known.
    pub(crate) time: Option<u32>,
    /// The second since 1970 at which it expires.
    pub(crate) expires: u32,
    pub(crate) shingles: u64,
}

impl DocumentEncoder {
    /// Encodes documents with these `tables`.
    pub(crate) fn new(tables: Arc<Tables>, dictionary: Option<Arc<Dictionary>>) -> Self {
        let dictionary = Arc::new(dictionary.map_or_else(OnceLock::new, OnceLock::from));
        DocumentEncoder { tables, dictionary }
    }

    pub(crate) fn has_dictionary(&self) -> bool {
        self.dictionary.get().is_some()
    }

    /// Sets the dictionary, if there is none.
    pub(crate) fn set_dictionary(&self, dictionary: Arc<Dictionary>) {
        self.dictionary.get_or_init(|| dictionary);
    }

    /// Appends the body of the record of `document`.
    fn push_body(&self, document: &NewDocument<'_>, out: &mut Vec<u8>) {
        let dictionary = self.dictionary.get().map(|dictionary| &**dictionary);
        push_body(document, &self.tables, out, |out| compress(document.text, dictionary, out));
    }

    /// Encodes a document.
    pub fn encode(&self, document: &NewDocument<'_>) -> EncodedDocument {
        let mut body = Vec::with_capacity(BODY_BYTES);
        self.push_body(document, &mut body);
        let (has_features, shingles) = (!document.content.is_empty(), document.content.shingles());
        let (id, url) = (id_hash(document.id), document.url.map(|url| url.hash));
        let (time, expires) = (document.time, document.expires.unwrap_or(NEVER));
        EncodedDocument { body, has_features, id, url, time, expires, shingles }
    }
}

impl EncodedDocument {
    /// The keys by which it is found. `sketch` has those of its sketch.
    pub(crate) fn keys<'k>(&self, sketch: &'k [u64]) -> DocumentKeys<'k> {
        DocumentKeys { sketch: if self.has_features { sketch } else { &[] }, id: self.id, url: self.url }
    }

    /// The bytes that it takes in the log.
    pub fn bytes(&self) -> usize {
        self.body.len()
    }
}

/// Documents with consecutive numbers, as the bytes of a frame of the log.
#[derive(Clone, Debug)]
pub struct EncodedDocuments {
    /// The number of the first document.
    pub(crate) first: u64,
    pub(crate) frame: Vec<u8>,
    /// Where each record starts in `frame`.
    pub(crate) starts: Vec<usize>,
    /// The hashes of the ids.
    pub(crate) ids: Vec<u64>,
    /// The hashes of the URLs, as far as there are any.
    pub(crate) urls: Vec<Option<u64>>,
    /// The second at which each document expires.
    pub(crate) expiries: Vec<u32>,
    /// For each document whether it has features.
    pub(crate) has_features: Vec<bool>,
    /// The sum of the shingles of each document.
    pub(crate) features: u64,
    /// The body of the last record.
    body: Vec<u8>,
}

/// Bytes that most bodies do not exceed while they are made: a text of 2 KB has room before it is compressed.
const BODY_BYTES: usize = 3 << 10;

/// The hash by which the document that has this id is found.
pub(crate) fn id_hash(id: &str) -> u64 {
    xxh3_64(id.as_bytes())
}

impl EncodedDocuments {
    /// No documents yet. The first one will have the number `first` in the whole index.
    pub fn new(first: u64) -> Self {
        let frame = first.to_le_bytes().to_vec();
        debug_assert_eq!(frame.len(), FRAME_HEAD_BYTES, "the frame starts with the number");
        EncodedDocuments {
            first,
            frame,
            starts: Vec::new(),
            ids: Vec::new(),
            urls: Vec::new(),
            expiries: Vec::new(),
            has_features: Vec::new(),
            features: 0,
            body: Vec::new(),
        }
    }

    /// The number of documents.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Appends the next document.
    pub fn push(&mut self, document: &NewDocument<'_>, encoder: &DocumentEncoder) {
        let number = self.first + self.len() as u64;
        self.starts.push(self.frame.len());
        self.ids.push(id_hash(document.id));
        self.urls.push(document.url.map(|url| url.hash));
        self.expiries.push(document.expires.unwrap_or(NEVER));
        self.has_features.push(!document.content.is_empty());
        self.features += document.content.shingles();
        self.body.clear();
        encoder.push_body(document, &mut self.body);
        push_document(&self.body, number, &mut self.frame);
    }
}
