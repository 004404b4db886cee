//! The names of documents in outputs.

use crate::documents::Documents;
use crate::documents::ids::place_name;
use lookalike_corpus::Inputs;
use std::borrow::Cow;

/// The names of documents in outputs.
pub struct DocumentNames<'a> {
    /// The files that they are in.
    pub inputs: &'a Inputs,
    /// The documents.
    pub documents: &'a Documents,
}

impl DocumentNames<'_> {
    /// The id of `document`: its own, or `path:line`, `path:row` or `path`.
    pub fn id(&self, document: u32) -> Cow<'_, str> {
        match self.documents.ids.as_ref().and_then(|ids| ids.get(document as usize)) {
            Some(id) => Cow::Borrowed(id),
            None => Cow::Owned(self.place(document)),
        }
    }

    /// The place of `document`: `path:line`, `path:row` or `path`, counted from 1.
    pub fn place(&self, document: u32) -> String {
        let chunk = self.documents.chunk_of(document);
        let place = self.documents.places[document as usize];
        place_name(self.inputs, chunk.id.file, place.offset, chunk.first_line + u64::from(place.line))
    }
}
