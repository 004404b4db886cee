//! What an index stores of the sketches of documents.

use crate::documents::SketchColumns;
use lookalike::search::{SketchView, Sketches};
use lookalike::simhash::FingerprintTable;
use lookalike::sketch::ContentHash;
use lookalike_index::{NewDocument, Tables};
use std::borrow::Cow;

/// What an index stores of the sketches of all documents of a run, column by column.
#[derive(Debug)]
pub(super) struct StoredColumns<'a> {
    keys: Cow<'a, [u64]>,
    /// The keys of each document.
    keys_each: usize,
    signatures: Cow<'a, [u8]>,
    /// The bytes of each signature.
    signature_bytes: usize,
    pub(super) contents: &'a [ContentHash],
}

impl<'a> StoredColumns<'a> {
    /// What an index with these `tables` stores of `sketches`.
    ///
    /// # Panics
    /// If they are those of another plan.
    pub(super) fn new(sketches: &'a SketchColumns, tables: &Tables) -> Self {
        if let SketchColumns::Memory(Sketches::SimHash(table)) = sketches {
            return Self::of_fingerprints(table, tables);
        }
        let SketchView { banding, num_perm, keys, bytes, contents, .. } =
            sketches.view().expect("an index has sketches");
        let (keys, signatures) = (Cow::Borrowed(keys), Cow::Borrowed(bytes));
        StoredColumns { keys, keys_each: banding.bands, signatures, signature_bytes: num_perm, contents }
    }

    fn of_fingerprints(table: &'a FingerprintTable, tables: &Tables) -> Self {
        let (mut keys, mut signatures) = (Vec::new(), Vec::new());
        for document in 0..table.contents().len() as u32 {
            let signature = signature_of(table, document, tables);
            keys.extend(tables.part_keys(&signature));
            signatures.extend(signature);
        }
        let (keys_each, signature_bytes) = (tables.keys(), tables.signature_bytes());
        let (keys, signatures) = (Cow::Owned(keys), Cow::Owned(signatures));
        StoredColumns { keys, keys_each, signatures, signature_bytes, contents: table.contents() }
    }

    /// The keys of the documents from number `first` on, one document after the other.
    pub(super) fn keys_from(&self, first: u32) -> &[u64] {
        &self.keys[first as usize * self.keys_each..]
    }

    /// The signature of a document.
    pub(super) fn signature(&self, document: usize) -> &[u8] {
        &self.signatures[document * self.signature_bytes..][..self.signature_bytes]
    }

    /// What is stored of a document with this `text`, without its id.
    pub(super) fn document<'d>(&'d self, document: u32, text: &'d str) -> NewDocument<'d> {
        let document = document as usize;
        NewDocument {
            keys: &self.keys[document * self.keys_each..][..self.keys_each],
            signature: self.signature(document),
            content: self.contents[document],
            id: "",
            text,
            ..NewDocument::default()
        }
    }
}

/// What an index with these `tables` stores as the signature of `document`.
fn signature_of(table: &FingerprintTable, document: u32, tables: &Tables) -> Vec<u8> {
    let content = table.content(document);
    match table.is_silent(document) && !content.is_empty() {
        true => tables.silent_signature(content),
        false => table.bytes_of(document),
    }
}
