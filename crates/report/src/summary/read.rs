//! The documents that a run has read.

use super::skips::Skips;
use lookalike_corpus::{Compression, Inputs};
use lookalike_engine::documents::DocumentIds;
use lookalike_engine::documents::DocumentNames;
use lookalike_engine::documents::Documents;
use serde::Serialize;

/// Counts of documents and files that every verb has.
#[derive(Clone, Debug, Serialize)]
pub struct ReadSummary {
    /// Documents read. Documents of `--against` are not counted.
    pub documents: u64,
    /// Size of all files read, as they are stored.
    pub bytes: u64,
    /// Whether one of the files is compressed, so that its text has more bytes.
    #[serde(skip)]
    pub compressed: bool,
    /// Records that could not be read.
    #[serde(flatten)]
    pub skips: Skips,
    /// Files in walked folders that were passed over: their format is unknown, or they are no files, such as pipes.
    pub ignored_files: u64,
}

impl ReadSummary {
    /// Summarizes `inputs` with so many documents.
    pub fn new(inputs: &Inputs, documents: u64, skips: Skips) -> Self {
        let compressed = inputs.files().iter().any(|file| file.compression != Compression::None);
        ReadSummary { documents, bytes: inputs.bytes(), compressed, skips, ignored_files: inputs.ignored() }
    }

    /// Summarizes `inputs` whose documents were sketched.
    pub fn of_sketched(inputs: &Inputs, documents: &Documents) -> Self {
        let new = documents.len() as u64 - u64::from(documents.first_new);
        Self::new(inputs, new, Skips::of_scan(inputs, documents))
    }
}

/// Other counts of the first scan, which sketches all documents.
#[derive(Clone, Debug, Serialize)]
pub struct ScanSummary {
    /// Documents without any feature, such as empty ones. They are never duplicates.
    pub empty: u64,
    /// Documents whose text is null. They are among the empty ones.
    pub without_text: u64,
    /// Records of archives that are no documents, such as requests, redirections and images.
    pub other_records: u64,
}

impl ScanSummary {
    /// Counts the documents that are not of `--against`.
    pub fn new(documents: &Documents) -> Self {
        let new = documents.first_new..documents.len() as u32;
        let empty = new.filter(|&document| documents.sketches.content(document).is_empty());
        ScanSummary {
            empty: empty.count() as u64,
            without_text: documents.without_text,
            other_records: documents.others,
        }
    }
}

/// Unusual ids. Both are `None` if the run needed no ids and has not read them.
#[derive(Clone, Debug, Serialize)]
pub struct IdsSummary {
    /// Ids that more than one document has.
    pub repeated_ids: Option<u64>,
    /// Documents without an id, which are named by their places.
    pub without_id: Option<u64>,
    /// The field that has no id for the first of them.
    #[serde(skip)]
    pub id_field: String,
    /// Whether that document is only compared against.
    #[serde(skip)]
    pub is_against: bool,
    /// The name of the first document without an id, such as `path:line`.
    #[serde(skip)]
    pub first_without_id: Option<String>,
}

impl IdsSummary {
    /// Of these documents. The ids of inputs were read from `id_field`.
    pub fn new(names: &DocumentNames<'_>, id_field: &str) -> Self {
        let documents = names.documents;
        let ids = documents.ids.as_ref();
        let first = ids.and_then(|ids| (0..documents.len()).find(|&index| ids.get(index).is_none()));
        let is_against = first.is_some_and(|document| !documents.is_new(document as u32));
        let of_against = names.inputs.against_fields().id.as_deref().filter(|_| is_against);
        IdsSummary {
            id_field: of_against.unwrap_or(id_field).to_owned(),
            is_against,
            first_without_id: first.map(|document| names.place(document as u32)),
            // A document of an index may be among the inputs again.
            repeated_ids: ids.map(|ids| ids.repeated(documents.indexed.numbers.len())),
            without_id: ids.map(DocumentIds::absent),
        }
    }
}
