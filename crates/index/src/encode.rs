//! Turns documents into the bytes of a frame of the log.

use crate::life::NEVER;
use crate::log::FRAME_HEAD_BYTES;
use crate::log::record::{NewDocument, push_document};
use crate::log::texts::{Dictionary, compress};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Encodes documents. Most of it is the compression of texts, so each thread encodes its own.
#[derive(Clone, Debug)]
pub struct DocumentEncoder {
    pub(crate) dictionary: Option<Arc<Dictionary>>,
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
    /// The second at which each document expires.
    pub(crate) expiries: Vec<u32>,
    /// For each document whether it has features.
    pub(crate) has_features: Vec<bool>,
    /// The sum of the shingles of each document.
    pub(crate) features: u64,
}

/// The hash by which the document that has this id is found.
pub(crate) fn id_hash(id: &str) -> u64 {
    xxh3_64(id.as_bytes())
}

impl EncodedDocuments {
    /// No documents yet. The first one will have the number `first` in the whole index.
    pub fn new(first: u64) -> Self {
        let frame = first.to_le_bytes().to_vec();
        debug_assert_eq!(frame.len(), FRAME_HEAD_BYTES, "the frame starts with the number");
        let (starts, ids, expiries, has_features) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        EncodedDocuments { first, frame, starts, ids, expiries, has_features, features: 0 }
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
        self.expiries.push(document.expires.unwrap_or(NEVER));
        self.has_features.push(!document.content.is_empty());
        self.features += document.content.shingles();
        push_document(document, number, &mut self.frame, |out| {
            compress(document.text, encoder.dictionary.as_deref(), out);
        });
    }
}
