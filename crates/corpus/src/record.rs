use bytemuck::{Pod, Zeroable};

/// Which fields of a record to read.
///
/// In JSON and Parquet `meta.text` is the field `text` of the object `meta`, unless a field is called `meta.text` itself.
///
/// Whole files have none. In a WARC file a field is a header of the record, in any case, the text is that of its page, and the id
/// called `id` is its `WARC-Target-URI`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fields {
    /// The field that holds the text.
    pub text: String,
    /// The field that holds the id; `None` reads no ids.
    pub id: Option<String>,
    /// The field that holds a number to choose the kept document by; `None` reads none.
    pub number: Option<String>,
}

/// What a name with a dot may lead through, and the name of the field in there. Other names lead nowhere.
pub(crate) fn split_path(name: &str) -> Option<(&str, &str)> {
    name.split_once('.')
}

/// One document, as it is in its chunk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Record<'a> {
    /// The text.
    pub text: &'a str,
    /// The id: a text as it is, a number as it is written; `None` if the record has neither.
    pub id: Option<&'a str>,
    /// The number to choose by; `None` if the record has none.
    pub number: Option<f64>,
    /// Where the record is in its chunk.
    pub place: Place,
}

/// Where a record is inside its chunk. The same in every scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[repr(C)]
pub struct Place {
    /// The byte at which a line or a record of an archive starts, the row of a batch, or the file of a batch of files.
    pub offset: u32,
    /// The line, row or record, counted from 0; the caller adds those of the chunks before.
    pub line: u32,
}
