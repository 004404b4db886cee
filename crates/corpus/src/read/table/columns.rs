//! Which column of a table holds which field.

use std::path::Path;

use csv_core::ReadRecordResult;

use crate::{Error, Fields, formats::BYTE_ORDER_MARK};

/// The wanted columns of a CSV file, and its header as it is written.
#[derive(Debug)]
pub(crate) struct Columns {
    pub(crate) delimiter: u8,
    /// The header record with its line end, and with a byte order mark if the file has one; of a table without a header
    /// only that mark.
    pub(crate) header: Vec<u8>,
    pub(crate) names: Vec<String>,
    pub(super) text: usize,
    pub(super) id: Option<usize>,
    pub(super) number: Option<usize>,
}

impl Columns {
    /// # Errors
    /// [`Error::MissingColumn`] if no column has the name of the text field.
    pub(super) fn new(
        header: Vec<u8>,
        delimiter: u8,
        fields: &Fields,
        path: &Path,
    ) -> Result<Columns, Error> {
        let names = names_in(&header, delimiter);
        Columns::named(names, header, delimiter, fields, path)
    }

    /// The same of columns whose names are known.
    ///
    /// # Errors
    /// [`Error::MissingColumn`].
    pub(super) fn named(
        names: Vec<String>,
        header: Vec<u8>,
        delimiter: u8,
        fields: &Fields,
        path: &Path,
    ) -> Result<Columns, Error> {
        let find = |field: &String| names.iter().position(|name| name == field);
        let text = find(&fields.text).ok_or_else(|| Error::MissingColumn {
            path: path.to_owned(),
            field: fields.text.clone(),
            seen: names.join(", "),
        })?;
        let (id, number) = (fields.id.as_ref().and_then(find), fields.number.as_ref().and_then(find));
        Ok(Columns { delimiter, header, names, text, id, number })
    }

    /// Does the table itself say what its columns are called?
    pub(super) fn header_has_names(&self) -> bool {
        !self.header.is_empty() && self.header != BYTE_ORDER_MARK
    }
}

/// The fields of a header record.
pub(super) fn names_in(header: &[u8], delimiter: u8) -> Vec<String> {
    let mut row = Row::new(delimiter);
    row.parse(header.strip_prefix(BYTE_ORDER_MARK).unwrap_or(header));
    (0..row.len())
        .map(|column| String::from_utf8_lossy(row.field(column).unwrap_or_default()).into())
        .collect()
}

/// The fields of one record, unquoted.
#[derive(Debug)]
pub(super) struct Row {
    parser: csv_core::Reader,
    bytes: Vec<u8>,
    ends: Vec<usize>,
    fields: usize,
}

impl Row {
    pub(super) fn new(delimiter: u8) -> Row {
        let parser = csv_core::ReaderBuilder::new().delimiter(delimiter).build();
        Row { parser, bytes: vec![0; 4096], ends: vec![0; 32], fields: 0 }
    }

    /// Parses one record, given with or without its line end.
    pub(super) fn parse(&mut self, mut record: &[u8]) {
        self.parser.reset();
        // A record never unquotes to more bytes than it has.
        if self.bytes.len() < record.len() {
            self.bytes.resize(record.len(), 0);
        }
        let (mut filled, mut fields) = (0, 0);
        loop {
            let (result, read, written, ended) =
                self.parser.read_record(record, &mut self.bytes[filled..], &mut self.ends[fields..]);
            record = &record[read..];
            (filled, fields) = (filled + written, fields + ended);
            match result {
                // The parser wants an empty input to know that it is at the end.
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => self.bytes.resize(self.bytes.len() * 2, 0),
                ReadRecordResult::OutputEndsFull => self.ends.resize(self.ends.len() * 2, 0),
                ReadRecordResult::Record | ReadRecordResult::End => break,
            }
        }
        self.fields = fields;
    }

    pub(super) fn len(&self) -> usize {
        self.fields
    }

    pub(super) fn field(&self, column: usize) -> Option<&[u8]> {
        let end = *self.ends[..self.fields].get(column)?;
        let start = column.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.bytes[start..end])
    }
}
