use crate::{Rank, TextFields};
use bytemuck::{Pod, Zeroable};

/// The names of the fields that are read of each record.
///
/// In JSON and Parquet `meta.text` is the field `text` of the object `meta`, unless a field is called `meta.text` itself.
///
/// A whole file has no fields. The fields of a WARC record are its headers, in any case. Its text is the text of its page, and
/// the fields `id` and `url` are its `WARC-Target-URI`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fields {
    /// The fields that hold the text: one, as a rule.
    pub text: TextFields,
    /// Whether a record whose text is null is a document with an empty text. Otherwise it is a bad record.
    pub null_texts: bool,
    /// The field that holds the id. Without it, ids are not read.
    pub id: Option<String>,
    /// The field that holds a number to choose the kept document by. Without it, numbers are not read.
    pub number: Option<String>,
    /// The fields that documents are grouped by.
    pub within: Vec<String>,
    /// The fields whose values an index stores beside the text.
    pub stored: Vec<String>,
}

impl Fields {
    /// Only the text is read, from the field `text`, or from several.
    pub fn of_text(text: impl Into<TextFields>) -> Self {
        Fields {
            text: text.into(),
            null_texts: false,
            id: None,
            number: None,
            within: Vec::new(),
            stored: Vec::new(),
        }
    }
}

/// The fields of text and id in files that are only [compared against](crate::Inputs::against). `None` stands for the field of
/// all other files.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct AgainstFields {
    /// The fields that hold the text.
    pub text: Option<TextFields>,
    /// The field that holds the id.
    pub id: Option<String>,
}

impl AgainstFields {
    /// `fields` with the names of text and id in these files. Without a field of the id there, ids are not read here either.
    pub(crate) fn of(&self, fields: &Fields) -> Fields {
        Fields {
            text: self.text.as_ref().unwrap_or(&fields.text).clone(),
            id: fields.id.as_ref().map(|id| self.id.as_ref().unwrap_or(id).clone()),
            ..fields.clone()
        }
    }
}

/// The values that a record has in the fields that documents are grouped by.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct GroupValues {
    /// For each field: 1, the length of its value and the value, or 0 if the record has no value.
    encoded: Vec<u8>,
    fields: u32,
    present: u64,
}

impl GroupValues {
    /// Removes all values.
    pub(crate) fn clear(&mut self) {
        self.encoded.clear();
        (self.fields, self.present) = (0, 0);
    }

    /// Appends the value of the next field. An empty value counts as none, because tables cannot tell the two apart.
    pub(crate) fn push(&mut self, value: Option<&[u8]>) {
        let value = value.filter(|value| !value.is_empty());
        self.encoded.push(u8::from(value.is_some()));
        if let Some(value) = value {
            self.encoded.extend_from_slice(&(value.len() as u64).to_le_bytes());
            self.encoded.extend_from_slice(value);
            // Fields from the 64th on share one bit.
            self.present |= 1 << self.fields.min(63);
        }
        self.fields += 1;
    }

    /// Bytes that are equal for records with equal values in all fields. They are empty if the record has none of the fields.
    pub fn encoded(&self) -> &[u8] {
        if self.present == 0 { &[] } else { &self.encoded }
    }

    /// A bit for each field that the record has. The lowest bit stands for the first field.
    pub fn present(&self) -> u64 {
        self.present
    }
}

/// The values that a record has in the fields that an index stores, in the order of the fields.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct StoredValues {
    written: String,
    /// For each field: where its value ends in `written`, and what it is. `None` if the record has no value.
    ends: Vec<(usize, Option<ValueForm>)>,
}

/// The form of a [`StoredValue`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValueForm {
    Text,
    Json,
}

/// The value of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoredValue<'a> {
    /// A text. Tables have only texts.
    Text(&'a str),
    /// A number, a boolean, a list or an object of JSON, as it is written. It may have numbers that are not JSON, such as `NaN`.
    Json(&'a str),
}

impl StoredValues {
    /// Removes all values.
    pub(crate) fn clear(&mut self) {
        self.written.clear();
        self.ends.clear();
    }

    /// Appends the value of the next field. An empty text counts as none, because tables cannot tell the two apart.
    pub(crate) fn push(&mut self, value: Option<StoredValue<'_>>) {
        let (written, kind) = match value {
            None | Some(StoredValue::Text("")) => ("", None),
            Some(StoredValue::Text(text)) => (text, Some(ValueForm::Text)),
            Some(StoredValue::Json(written)) => (written, Some(ValueForm::Json)),
        };
        self.written.push_str(written);
        self.ends.push((self.written.len(), kind));
    }

    /// The value of a field, by its number in [`Fields::stored`]. `None` if the record does not have it.
    pub fn get(&self, field: usize) -> Option<StoredValue<'_>> {
        let &(end, kind) = self.ends.get(field)?;
        let start = field.checked_sub(1).map_or(0, |before| self.ends[before].0);
        let written = &self.written[start..end];
        kind.map(|kind| match kind {
            ValueForm::Text => StoredValue::Text(written),
            ValueForm::Json => StoredValue::Json(written),
        })
    }
}

/// Splits a name at its first dot: the name of an object, and the name of a field in that object. Names without a dot give
/// `None`.
pub(crate) fn split_path(name: &str) -> Option<(&str, &str)> {
    name.split_once('.')
}

/// One document, borrowed from its chunk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Record<'a> {
    /// The text.
    pub text: &'a str,
    /// Whether the text is null. It is then empty here.
    pub is_null: bool,
    /// The id: a text as it is, or a number as it is written. `None` if the record has neither.
    pub id: Option<&'a str>,
    /// The number to choose by. `None` if the record has none.
    pub number: Option<Rank>,
    /// The values to group by. `None` if records of this format have no fields.
    pub within: Option<&'a GroupValues>,
    /// The values that an index stores. `None` if records of this format have no fields.
    pub stored: Option<&'a StoredValues>,
    /// The place of the record in its chunk.
    pub place: Place,
}

/// The place of a record in its chunk. It is the same in every scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[repr(C)]
pub struct Place {
    /// The byte at which a line or an archive record starts, the row in a batch, or the file in a batch of files.
    pub offset: u32,
    /// The line, row or record in the chunk, counted from 0. The caller adds the lines of earlier chunks.
    pub line: u32,
}
