//! The ids of documents, one after the other in one string.

use crate::documents::Documents;
use lookalike_corpus::{Format, Inputs};
use lookalike_store::Held;
use std::borrow::Cow;
use xxhash_rust::xxh3::xxh3_64;

/// The ids that records carry; empty for those that carry none.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    text: Held<u8>,
    /// Where each ends.
    ends: Held<u64>,
}

impl Ids {
    /// Ids that are held already: their text, and where each ends.
    pub(crate) fn of_columns(text: Held<u8>, ends: Held<u64>) -> Self {
        Ids { text, ends }
    }

    /// Where each ends, and their text.
    pub(crate) fn parts(&self) -> (&[u64], &[u8]) {
        (&self.ends, &self.text)
    }

    /// How many bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        self.text.len() + 8 * self.ends.len()
    }

    pub(crate) fn push(&mut self, id: Option<&str>) {
        let text = self.text.memory();
        text.extend_from_slice(id.unwrap_or_default().as_bytes());
        let end = text.len() as u64;
        self.ends.memory().push(end);
    }

    pub(crate) fn append(&mut self, other: &Ids) {
        let text = self.text.memory();
        let before = text.len() as u64;
        text.extend_from_slice(&other.text);
        self.ends.memory().extend(other.ends.iter().map(|end| before + end));
    }

    fn bytes_of(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start as usize..self.ends[index] as usize]
    }

    fn get(&self, index: usize) -> Option<&str> {
        // They were text when they were put in.
        std::str::from_utf8(self.bytes_of(index)).ok().filter(|id| !id.is_empty())
    }

    /// How many documents have none.
    pub(crate) fn absent(&self) -> u64 {
        (0..self.ends.len()).filter(|&index| self.bytes_of(index).is_empty()).count() as u64
    }

    /// How many ids occur more than once. (They are told apart by 64 bits.)
    pub(crate) fn repeated(&self) -> u64 {
        let ids = (0..self.ends.len()).map(|index| self.bytes_of(index)).filter(|id| !id.is_empty());
        let mut hashes: Vec<u64> = ids.map(xxh3_64).collect();
        hashes.sort_unstable();
        hashes.chunk_by(|a, b| a == b).filter(|same| same.len() > 1).count() as u64
    }
}

/// The names that documents go by in outputs.
pub(crate) struct Names<'a> {
    pub(crate) inputs: &'a Inputs,
    pub(crate) documents: &'a Documents,
}

impl Names<'_> {
    /// The id of `document`: its own, or `path:line`, `path:row` or `path`.
    pub(crate) fn id(&self, document: u32) -> Cow<'_, str> {
        match self.documents.ids.as_ref().and_then(|ids| ids.get(document as usize)) {
            Some(id) => Cow::Borrowed(id),
            None => Cow::Owned(self.place(document)),
        }
    }

    /// Where `document` is: `path:line`, `path:row` or `path`, counted from 1.
    pub(crate) fn place(&self, document: u32) -> String {
        let chunk = self.documents.chunk_of(document);
        let place = self.documents.places[document as usize];
        place_name(self.inputs, chunk.id.file, place.offset, chunk.first_line + u64::from(place.line))
    }
}

/// `path:line`, counted from 1; `path` for a file that is one document.
pub(crate) fn place_name(inputs: &Inputs, file: u32, offset: u32, line: u64) -> String {
    let files = inputs.files();
    match files[file as usize].format {
        Format::Text => files[(file + offset) as usize].name.clone(),
        _ => format!("{}:{}", files[file as usize].name, line + 1),
    }
}
