//! CSV and TSV. Fields are found by the names in the header.

mod boundary;
mod columns;
mod dialect;
mod quotes;
mod row;
mod stream;

use std::{str, sync::Arc};

pub(crate) use self::{
    boundary::RecordBoundary,
    columns::WantedColumns,
    dialect::{Dialect, split_line_end},
    stream::TableStream,
};
use self::{
    dialect::Closing,
    quotes::{joins, look_for_signs},
    row::Row,
};
use crate::{
    BadRecord, Fields, GroupValues, Place, Problem, Rank, Record, StoredValue, StoredValues, SuspectQuotes,
    formats::without_marks, problem::MAX_TEXT_BYTES, text_fields::JoinedValues,
};

/// Complete records. In the first chunk of a file, the header stands before them.
#[derive(Debug)]
pub(crate) struct TableRecords<'s> {
    pub(super) bytes: &'s [u8],
    /// The start of the first record.
    start: usize,
    columns: Arc<WantedColumns>,
    fields: &'s Fields,
    /// Longer records are skipped.
    max_record: u64,
    row: Row,
    /// A text of several columns.
    joined: String,
    /// The groups of the last record.
    within: GroupValues,
    stored: StoredValues,
    /// Signs in the records that were visited.
    suspect: SuspectQuotes,
}

impl<'s> TableRecords<'s> {
    pub(super) fn new(
        bytes: &'s [u8],
        sequence: u32,
        columns: Arc<WantedColumns>,
        fields: &'s Fields,
        max_record: u64,
    ) -> TableRecords<'s> {
        let start = if sequence == 0 { columns.header.len().min(bytes.len()) } else { 0 };
        let row = Row::new(columns.dialect);
        let (within, stored) = (GroupValues::default(), StoredValues::default());
        TableRecords {
            bytes,
            start,
            columns,
            fields,
            max_record,
            row,
            joined: String::new(),
            within,
            stored,
            suspect: SuspectQuotes::default(),
        }
    }

    pub(crate) fn columns(&self) -> &Arc<WantedColumns> {
        &self.columns
    }

    pub(super) fn suspect_quotes(&self) -> SuspectQuotes {
        self.suspect
    }

    pub(super) fn count(&self) -> u32 {
        let Dialect { line_end, .. } = self.columns.dialect;
        let unended = self.bytes.last().is_some_and(|&last| last != line_end);
        self.columns.dialect.lines_in(self.bytes) + u32::from(unended)
    }

    pub(super) fn for_each(&mut self, visit: &mut dyn FnMut(Result<Record<'_>, BadRecord>)) -> u32 {
        let mut start = self.start;
        let dialect = self.columns.dialect;
        let mut line = dialect.lines_in(&self.bytes[..start]);
        while start < self.bytes.len() {
            let raw = self.raw_at(start);
            let line_ends = dialect.lines_in(raw);
            // Byte order marks alone are a blank line. They remain where an empty file was joined to others.
            if !without_marks(raw).iter().all(|byte| matches!(byte, b'\r' | b'\n')) {
                let record = match u32::try_from(start) {
                    Ok(offset) => self.record(Place { offset, line }),
                    // The record starts more than 4 GiB into the chunk, so a place cannot hold its offset.
                    Err(_) => Err(BadRecord { line, problem: Problem::TooLong }),
                };
                let is_good = record.is_ok();
                visit(record);
                if is_good {
                    look_for_signs(&mut self.suspect, &self.columns, raw, line, line_ends);
                }
            }
            line += line_ends;
            start += raw.len();
        }
        self.count()
    }

    pub(super) fn record(&mut self, place: Place) -> Result<Record<'_>, BadRecord> {
        let bad = |problem| BadRecord { line: place.line, problem };
        let raw = self.raw(place).ok_or_else(|| bad(Problem::Gone))?;
        let (length, limit) = (raw.len() as u64, self.max_record);
        if length > limit {
            return Err(bad(Problem::RecordTooLong { length, limit }));
        }
        let dialect = self.columns.dialect;
        if dialect.mixes_line_ends(raw) {
            return Err(bad(Problem::MixedLineEnds));
        }
        let lines = dialect.lines_in(split_line_end(raw).0);
        if lines > 0 && joins(dialect, raw) {
            return Err(bad(Problem::JoinedRecords { lines }));
        }
        self.row.parse(raw);
        let expected = self.columns.names.len();
        if self.row.len() != expected {
            let found = self.row.len();
            return Err(bad(match self.columns.header_has_names() {
                true => Problem::RowLength { found, expected },
                false => Problem::UnevenRow { found, expected },
            }));
        }
        let row = &self.row;
        let texts = self.columns.texts.iter().zip(self.fields.text.names());
        let mut texts =
            texts.map(|(&column, field)| column.map_or(Ok(None), |column| text_of(row, column, field)));
        let text = match (texts.len(), texts.next()) {
            (1, Some(text)) => text.map_err(bad)?,
            (_, first) => {
                let mut joined = self.fields.text.start(&mut self.joined);
                for text in first.into_iter().chain(texts) {
                    match text.map_err(bad)? {
                        Some(text) => joined.push(text),
                        None => joined.push_null(),
                    }
                }
                (joined.found() == JoinedValues::Found).then_some(self.joined.as_str())
            }
        };
        let is_null = text.is_none();
        if is_null && !self.fields.null_texts {
            return Err(bad(Problem::NotText { field: self.fields.text.to_string(), found: "null" }));
        }
        let text = text.unwrap_or_default();
        if text.len() > MAX_TEXT_BYTES {
            return Err(bad(Problem::TooLong));
        }
        let field = |column: Option<usize>| {
            let field = str::from_utf8(row.value(column?)?).ok()?;
            (!field.is_empty()).then_some(field)
        };
        self.within.clear();
        for column in &self.columns.within {
            self.within.push(column.and_then(|column| row.value(column)));
        }
        self.stored.clear();
        for &column in &self.columns.stored {
            self.stored.push(field(column).map(StoredValue::Text));
        }
        let number = field(self.columns.number).and_then(Rank::of_text);
        let (within, stored) = (Some(&self.within), Some(&self.stored));
        Ok(Record { text, is_null, id: field(self.columns.id), number, within, stored, place })
    }

    pub(super) fn raw(&self, place: Place) -> Option<&'s [u8]> {
        let start = place.offset as usize;
        (start < self.bytes.len()).then(|| self.raw_at(start))
    }

    fn raw_at(&self, start: usize) -> &'s [u8] {
        let rest = &self.bytes[start..];
        &rest[..RecordBoundary::first_end(self.columns.dialect, rest).unwrap_or(rest.len())]
    }
}

/// The text of a column; `None` if it is null.
fn text_of<'r>(row: &'r Row, column: usize, field: &str) -> Result<Option<&'r str>, Problem> {
    let Some(text) = row.value(column) else { return Ok(None) };
    simdutf8::compat::from_utf8(text)
        .map(Some)
        .map_err(|error| Problem::InvalidUtf8Text { field: field.to_owned(), byte: error.valid_up_to() })
}

#[cfg(test)]
mod tests;
