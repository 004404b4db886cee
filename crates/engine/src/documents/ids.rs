//! The ids of documents, one after the other in one text.

use crate::error::Error;
use crate::work::{Folder, behind};
use lookalike_corpus::Inputs;
use lookalike_store::Column;
use xxhash_rust::xxh3::xxh3_64;

/// The ids of documents. The id of a document without one is empty.
#[derive(Debug, Default)]
pub struct DocumentIds {
    text: Column<u8>,
    /// The end of each id in `text`.
    ends: Column<u64>,
}

impl DocumentIds {
    /// Ids by their text, and the end of each in it.
    pub(crate) fn of_columns(text: Column<u8>, ends: Column<u64>) -> Self {
        DocumentIds { text, ends }
    }

    /// The end of each id in the text, and the text.
    pub fn parts(&self) -> (&[u64], &[u8]) {
        (&self.ends, &self.text)
    }

    /// The bytes that they take.
    pub fn bytes(&self) -> usize {
        self.text.len() + 8 * self.ends.len()
    }

    /// Appends the id of the next document, or `None` if it has none.
    pub fn push(&mut self, id: Option<&str>) {
        let text = self.text.memory();
        text.extend_from_slice(id.unwrap_or_default().as_bytes());
        let end = text.len() as u64;
        self.ends.memory().push(end);
    }

    /// Appends the ids of `other`.
    pub fn append(&mut self, other: &DocumentIds) {
        let text = self.text.memory();
        let before = text.len() as u64;
        text.extend_from_slice(&other.text);
        self.ends.memory().extend(other.ends.iter().map(|end| before + end));
    }

    /// Puts the ids of `front` before them.
    pub(crate) fn prepend(self, front: &DocumentIds, folder: Option<&Folder>) -> Result<Self, Error> {
        let before = front.text.len() as u64;
        let text = behind(&front.text, &self.text, "all-id-text", folder)?;
        let ends = match (&self.ends, folder) {
            (Column::Disk(ends), Some(folder)) => {
                let mut column = folder.start_column("all-id-ends")?;
                column.extend(&front.ends)?;
                for ends in ends.chunks(1 << 16) {
                    column.extend(&ends.iter().map(|end| before + end).collect::<Vec<_>>())?;
                }
                Column::Disk(folder.finish_column("all-id-ends", column)?)
            }
            _ => Column::Memory(
                front.ends.iter().copied().chain(self.ends.iter().map(|end| before + end)).collect(),
            ),
        };
        Ok(DocumentIds { text, ends })
    }

    fn bytes_of(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start as usize..self.ends[index] as usize]
    }

    /// The id of document `index`, if it has one.
    pub fn get(&self, index: usize) -> Option<&str> {
        // Only text is appended.
        std::str::from_utf8(self.bytes_of(index)).ok().filter(|id| !id.is_empty())
    }

    /// Whether each document has an id that is a whole number of 64 bits with a sign.
    pub fn are_integers(&self) -> bool {
        (0..self.ends.len()).all(|index| self.get(index).is_some_and(|id| id.parse::<i64>().is_ok()))
    }

    /// The number of documents without an id.
    pub fn absent(&self) -> u64 {
        (0..self.ends.len()).filter(|&index| self.bytes_of(index).is_empty()).count() as u64
    }

    /// The number of ids that occur more than once among the documents from `first` on. They are compared by hashes of 64 bits.
    pub fn repeated(&self, first: usize) -> u64 {
        let ids = (first..self.ends.len()).map(|index| self.bytes_of(index)).filter(|id| !id.is_empty());
        let mut hashes: Vec<u64> = ids.map(xxh3_64).collect();
        hashes.sort_unstable();
        hashes.chunk_by(|a, b| a == b).filter(|same| same.len() > 1).count() as u64
    }
}

/// The name of a place: `path:line`, counted from 1, or `path` for a file that is one document.
pub fn place_name(inputs: &Inputs, file: u32, offset: u32, line: u64) -> String {
    let files = inputs.files();
    match files[file as usize].format {
        format if format.is_one_document() => files[(file + offset) as usize].name.clone(),
        _ => format!("{}:{}", files[file as usize].name, line + 1),
    }
}
