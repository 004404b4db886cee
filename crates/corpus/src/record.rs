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
    /// The fields that documents are grouped by; none reads none.
    pub within: Vec<String>,
}

/// The values that a record has in the fields that documents are grouped by.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct GroupValues {
    /// Of each field 1, the length of its value and the value; 0 if the record has none.
    encoded: Vec<u8>,
    fields: u32,
    present: u64,
}

impl GroupValues {
    /// Takes all values away.
    pub(crate) fn clear(&mut self) {
        self.encoded.clear();
        (self.fields, self.present) = (0, 0);
    }

    /// Appends the value of the next field. An empty one is none, as tables cannot tell the two apart.
    pub(crate) fn push(&mut self, value: Option<&[u8]>) {
        let value = value.filter(|value| !value.is_empty());
        self.encoded.push(u8::from(value.is_some()));
        if let Some(value) = value {
            self.encoded.extend_from_slice(&(value.len() as u64).to_le_bytes());
            self.encoded.extend_from_slice(value);
            // Fields from the 64th on are counted together.
            self.present |= 1 << self.fields.min(63);
        }
        self.fields += 1;
    }

    /// Bytes that are equal for records with equal values in all fields; none if the record has none of the fields.
    pub fn encoded(&self) -> &[u8] {
        if self.present == 0 { &[] } else { &self.encoded }
    }

    /// A bit for each field that the record has, the lowest for the first.
    pub fn present(&self) -> u64 {
        self.present
    }
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
    /// The values to group by; `None` if a record of its format has no fields.
    pub within: Option<&'a GroupValues>,
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
