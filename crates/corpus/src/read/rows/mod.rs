//! Parquet rows as records.

mod file;
mod guard;
mod path;
mod source;
mod stream;

use arrow_array::{Array, ArrayRef, RecordBatch, cast::AsArray, types::Float64Type};
use arrow_cast::cast;
use arrow_schema::DataType;

pub use self::guard::is_decoding;
pub(crate) use self::{
    file::ParquetFile,
    stream::{Batch, RowStream},
};
use crate::problem::MAX_TEXT_BYTES;
use crate::{BadRecord, Fields, GroupValues, Place, Problem, Record};

/// The rows of a batch, with their wanted columns.
#[derive(Debug)]
pub(crate) struct Rows<'s> {
    pub(crate) batch: RecordBatch,
    fields: &'s Fields,
    /// Rows with longer texts are skipped.
    max_record: u64,
    text: ArrayRef,
    id: Option<ArrayRef>,
    number: Option<ArrayRef>,
    /// The groups of each row, if they are wanted.
    within: Vec<GroupValues>,
}

impl<'s> Rows<'s> {
    /// `None` if the text column is missing or not readable as text. Opening the file has ruled that out.
    pub(super) fn new(batch: RecordBatch, fields: &'s Fields, max_record: u64) -> Option<Rows<'s>> {
        let column = |field: &String, data_type: &DataType| {
            let column = path::column(&batch, field)?;
            // Dictionaries and views become plain texts, and numbers that are used as ids become digits.
            if column.data_type() == data_type { Some(column) } else { cast(&column, data_type).ok() }
        };
        // The texts of a batch may have more bytes than 32-bit offsets can address.
        let text = column(&fields.text, &DataType::LargeUtf8)?;
        let id = fields.id.as_ref().and_then(|field| column(field, &DataType::LargeUtf8));
        let number = fields.number.as_ref().and_then(|field| column(field, &DataType::Float64));
        let groups: Vec<_> = fields.within.iter().map(|field| column(field, &DataType::LargeUtf8)).collect();
        let within = if groups.is_empty() { 0 } else { batch.num_rows() };
        let within = (0..within).map(|row| values_at(&groups, row)).collect();
        Some(Rows { text, id, number, within, fields, max_record, batch })
    }

    pub(super) fn count(&self) -> u32 {
        self.batch.num_rows() as u32
    }

    pub(super) fn for_each(&self, visit: &mut dyn FnMut(Result<Record<'_>, BadRecord>)) -> u32 {
        for row in 0..self.count() {
            visit(self.record(Place { offset: row, line: row }));
        }
        self.count()
    }

    pub(super) fn record(&self, place: Place) -> Result<Record<'_>, BadRecord> {
        let row = place.offset as usize;
        if place.offset >= self.count() {
            return Err(BadRecord { line: place.line, problem: Problem::Gone });
        }
        let Some(text) = text_at(&self.text, row) else {
            let problem = Problem::NotText { field: self.fields.text.clone(), found: "null" };
            return Err(BadRecord { line: place.line, problem });
        };
        let (length, limit) = (text.len() as u64, self.max_record);
        if length > limit {
            return Err(BadRecord { line: place.line, problem: Problem::RecordTooLong { length, limit } });
        }
        if text.len() > MAX_TEXT_BYTES {
            return Err(BadRecord { line: place.line, problem: Problem::TooLong });
        }
        let number = self.number.as_ref().filter(|number| number.is_valid(row));
        let number = number.map(|number| number.as_primitive::<Float64Type>().value(row));
        let id = self.id.as_ref().and_then(|id| text_at(id, row));
        let number = number.filter(|number| number.is_finite());
        Ok(Record { text, id, number, within: self.within.get(row), place })
    }
}

fn values_at(columns: &[Option<ArrayRef>], row: usize) -> GroupValues {
    let mut values = GroupValues::default();
    for column in columns {
        values.push(column.as_ref().and_then(|column| text_at(column, row)).map(str::as_bytes));
    }
    values
}

fn text_at(column: &ArrayRef, row: usize) -> Option<&str> {
    column.is_valid(row).then(|| column.as_string::<i64>().value(row))
}
