//! The ids of documents, one after the other in one string.

use crate::documents::Documents;
use lookalike_corpus::Inputs;
use std::borrow::Cow;

/// The ids that records carry; empty for those that carry none.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    text: String,
    ends: Vec<u64>,
}

impl Ids {
    pub(crate) fn push(&mut self, id: Option<&str>) {
        self.text.push_str(id.unwrap_or_default());
        self.ends.push(self.text.len() as u64);
    }

    pub(crate) fn append(&mut self, other: &Ids) {
        let before = self.text.len() as u64;
        self.text.push_str(&other.text);
        self.ends.extend(other.ends.iter().map(|end| before + end));
    }

    fn get(&self, index: usize) -> Option<&str> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        let id = &self.text[start as usize..self.ends[index] as usize];
        (!id.is_empty()).then_some(id)
    }

    /// How many documents have none.
    pub(crate) fn absent(&self) -> u64 {
        (0..self.ends.len()).filter(|&index| self.get(index).is_none()).count() as u64
    }

    /// How many ids occur more than once.
    pub(crate) fn repeated(&self) -> u64 {
        let mut ids: Vec<&str> = (0..self.ends.len()).filter_map(|index| self.get(index)).collect();
        ids.sort_unstable();
        ids.chunk_by(|a, b| a == b).filter(|same| same.len() > 1).count() as u64
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
        format if format.is_one_document() => files[(file + offset) as usize].name.clone(),
        _ => format!("{}:{}", files[file as usize].name, line + 1),
    }
}
