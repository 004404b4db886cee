//! The columns of a table that hold the wanted fields.

use csv_core::{ReadRecordResult, Terminator};

use super::{Dialect, split_line_end};
use crate::{Fields, Problem, formats::without_marks};

/// The wanted columns of a table, and its header as it is written.
#[derive(Debug)]
pub(crate) struct Columns {
    pub(crate) dialect: Dialect,
    /// The bytes before the first record. They are the header record with its line end, behind a byte order mark if the file
    /// has one. For a table without a header, they are only that mark.
    pub(crate) header: Vec<u8>,
    pub(crate) names: Vec<String>,
    pub(super) text: usize,
    pub(super) id: Option<usize>,
    pub(super) number: Option<usize>,
    pub(super) within: Vec<Option<usize>>,
    pub(super) stored: Vec<Option<usize>>,
}

impl Columns {
    /// # Errors
    /// [`Problem::MissingColumn`] if no column has the name of the text field, [`Problem::RepeatedColumn`] if several have the name of a
    /// wanted field.
    pub(super) fn new(header: Vec<u8>, dialect: Dialect, fields: &Fields) -> Result<Columns, Problem> {
        let names = names_in(&header, dialect);
        Columns::named(names, header, dialect, fields)
    }

    /// Finds the wanted columns among columns with known names.
    ///
    /// # Errors
    /// [`Problem::MissingColumn`], [`Problem::RepeatedColumn`].
    pub(super) fn named(
        names: Vec<String>,
        header: Vec<u8>,
        dialect: Dialect,
        fields: &Fields,
    ) -> Result<Columns, Problem> {
        let find = |field: &String| names.iter().position(|name| name == field);
        let text = find(&fields.text)
            .ok_or_else(|| Problem::MissingColumn { field: fields.text.clone(), seen: names.clone() })?;
        let wanted = [&fields.text].into_iter().chain(&fields.id).chain(&fields.number).chain(&fields.within);
        for field in wanted {
            let count = names.iter().filter(|name| *name == field).count();
            if count > 1 {
                return Err(Problem::RepeatedColumn { field: field.clone(), count });
            }
        }
        let (id, number) = (fields.id.as_ref().and_then(find), fields.number.as_ref().and_then(find));
        let within = fields.within.iter().map(find).collect();
        let stored = fields.stored.iter().map(find).collect();
        Ok(Columns { dialect, header, names, text, id, number, within, stored })
    }

    /// Whether the table itself has a header with the names of its columns.
    pub(super) fn header_has_names(&self) -> bool {
        !without_marks(&self.header).is_empty()
    }
}

/// The fields of a header record.
pub(super) fn names_in(header: &[u8], dialect: Dialect) -> Vec<String> {
    let mut row = Row::new(dialect);
    row.parse(without_marks(header));
    (0..row.len())
        .map(|column| String::from_utf8_lossy(row.field(column).unwrap_or_default()).into())
        .collect()
}

/// The fields of one record, without their quotes.
#[derive(Debug)]
pub(super) struct Row {
    parser: csv_core::Reader,
    bytes: Vec<u8>,
    ends: Vec<usize>,
    fields: usize,
    /// A character that is put before a record from which byte order marks were stripped. It is no delimiter.
    stand_in: u8,
    /// The start of the first field.
    start: usize,
}

impl Row {
    pub(super) fn new(dialect: Dialect) -> Row {
        let mut parser = csv_core::ReaderBuilder::new();
        // This is the same end of a record as in `Boundary`. By default, a carriage return alone would end a record too.
        parser.delimiter(dialect.delimiter).terminator(Terminator::Any(dialect.line_end));
        let parser = parser.build();
        let stand_in = if dialect.delimiter == b'x' { b'y' } else { b'x' };
        Row { parser, bytes: vec![0; 4096], ends: vec![0; 32], fields: 0, stand_in, start: 0 }
    }

    /// Parses one record, with or without its line end. Byte order marks at its start are not part of it.
    pub(super) fn parse(&mut self, record: &[u8]) {
        let (record, _) = split_line_end(record);
        let unmarked = without_marks(record);
        if unmarked.len() == record.len() {
            self.start = 0;
            return self.parse_fields(record);
        }
        // A quote behind a mark does not open a quoted field, neither here nor in the search for the end of the record. Another
        // character therefore stands before it, and is left out of the first field.
        self.start = 1;
        self.parse_fields(&[&[self.stand_in], unmarked].concat());
    }

    fn parse_fields(&mut self, mut record: &[u8]) {
        self.parser.reset();
        // Without its quotes, a record never has more bytes than with them.
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
                // The parser is called with an empty input to signal the end.
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
        let start = column.checked_sub(1).map_or(self.start, |before| self.ends[before]);
        Some(&self.bytes[start..end])
    }
}
