//! The fields of one record.

use csv_core::{ReadRecordResult, Terminator};
use memchr::memchr;

use super::{Closing, Dialect, split_line_end};
use crate::{Quoting, formats::without_marks};

/// How ClickHouse, MySQL and PostgreSQL write a null, and Spark if it is told to.
const NULL: &[u8] = b"\\N";

/// The fields of one record, without their quotes.
#[derive(Debug)]
pub(super) struct Row {
    dialect: Dialect,
    parser: csv_core::Reader,
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// For each field whether it is null, where the text `\N` may be escaped.
    nulls: Vec<bool>,
    fields: usize,
    /// A character that is put before a record from which byte order marks were stripped. It is no delimiter.
    stand_in: u8,
    /// The start of the first field.
    start: usize,
}

impl Row {
    pub(super) fn new(dialect: Dialect) -> Row {
        let mut parser = csv_core::ReaderBuilder::new();
        // This is the same end of a record as in `RecordBoundary`. By default, a carriage return alone would end a record too.
        parser.delimiter(dialect.delimiter).terminator(Terminator::Any(dialect.line_end));
        parser.quoting(dialect.quoting.has_quotes());
        let parser = parser.build();
        let stand_in = if dialect.delimiter == b'x' { b'y' } else { b'x' };
        Row {
            dialect,
            parser,
            bytes: vec![0; 4096],
            ends: vec![0; 32],
            nulls: Vec::new(),
            fields: 0,
            stand_in,
            start: 0,
        }
    }

    /// Parses one record, with or without its line end. Byte order marks at its start are not part of it.
    pub(super) fn parse(&mut self, record: &[u8]) {
        let (record, _) = split_line_end(record);
        let unmarked = without_marks(record);
        if unmarked.len() == record.len() || !self.dialect.quoting.has_quotes() {
            self.start = 0;
            return self.parse_fields(unmarked);
        }
        // A quote behind a mark does not open a quoted field, neither here nor in the search for the end of the record. Another
        // character therefore stands before it, and is left out of the first field.
        self.start = 1;
        self.parse_fields(&[&[self.stand_in], unmarked].concat());
    }

    fn parse_fields(&mut self, record: &[u8]) {
        match self.dialect.quoting {
            // `csv_core` takes every character behind a backslash as it is, so that `\n` would lose its backslash.
            Quoting::Escaped => self.parse_escaped(record),
            Quoting::Backslashes => self.parse_backslashes(record),
            Quoting::Doubled | Quoting::None => self.parse_by_csv_core(record),
        }
    }

    /// Parses fields without quotes, in which a backslash begins an escape.
    fn parse_backslashes(&mut self, record: &[u8]) {
        self.bytes.clear();
        self.ends.clear();
        self.nulls.clear();
        let mut rest = Some(record).filter(|record| !record.is_empty());
        while let Some(bytes) = rest {
            let end = self.dialect.unescaped(self.dialect.delimiter, bytes, 0).unwrap_or(bytes.len());
            self.push_unescaped(&bytes[..end]);
            self.ends.push(self.bytes.len());
            self.nulls.push(bytes[..end] == *NULL);
            rest = bytes.get(end + 1..);
        }
        self.fields = self.ends.len();
    }

    fn push_unescaped(&mut self, mut field: &[u8]) {
        while let Some(at) = memchr(b'\\', field) {
            self.bytes.extend_from_slice(&field[..at]);
            // A backslash that ends the field escapes nothing.
            self.bytes.push(field.get(at + 1).map_or(b'\\', |&byte| unescaped(byte)));
            field = field.get(at + 2..).unwrap_or_default();
        }
        self.bytes.extend_from_slice(field);
    }

    /// Parses fields as `csv_core` does. In quoted fields, a backslash before a quote or another backslash is left out too.
    fn parse_escaped(&mut self, mut record: &[u8]) {
        self.bytes.clear();
        self.ends.clear();
        let mut is_over = record.is_empty();
        while !is_over {
            if record.first() == Some(&b'"') {
                record = self.push_quoted(&record[1..]);
            }
            let end = memchr(self.dialect.delimiter, record);
            self.bytes.extend_from_slice(&record[..end.unwrap_or(record.len())]);
            self.ends.push(self.bytes.len());
            record = &record[end.map_or(record.len(), |end| end + 1)..];
            is_over = end.is_none();
        }
        self.fields = self.ends.len();
    }

    /// Appends the text of a quoted field, which starts with `bytes`. Gives the bytes behind its closing quote.
    fn push_quoted<'r>(&mut self, bytes: &'r [u8]) -> &'r [u8] {
        let end = match self.dialect.closing_quote(bytes, 0) {
            Closing::At(quote) | Closing::Unknown(quote) => quote,
        };
        let mut text = &bytes[..end];
        while let [first, rest @ ..] = text {
            let is_pair = matches!(text, [b'"', b'"', ..] | [b'\\', b'"' | b'\\', ..]);
            // Of a pair, the second byte is the text.
            let (byte, behind) = if is_pair { (rest[0], &rest[1..]) } else { (*first, rest) };
            self.bytes.push(byte);
            text = behind;
        }
        bytes.get(end + 1..).unwrap_or_default()
    }

    fn parse_by_csv_core(&mut self, mut record: &[u8]) {
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

    /// A field that is not null.
    pub(super) fn value(&self, column: usize) -> Option<&[u8]> {
        let field = self.field(column)?;
        let is_null = match self.dialect.quoting {
            Quoting::Backslashes => self.nulls[column],
            _ => field == NULL,
        };
        (!is_null).then_some(field)
    }

    pub(super) fn field(&self, column: usize) -> Option<&[u8]> {
        let end = *self.ends[..self.fields].get(column)?;
        let start = column.checked_sub(1).map_or(self.start, |before| self.ends[before]);
        Some(&self.bytes[start..end])
    }
}

/// What a byte behind a backslash stands for, in fields without quotes. Source: the documents of ClickHouse, MySQL and PostgreSQL.
fn unescaped(byte: u8) -> u8 {
    match byte {
        b'0' => 0,
        b'b' => 8,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 11,
        b'f' => 12,
        b'r' => b'\r',
        other => other,
    }
}
