//! Rows of Parquet and of Arrow as records.

mod arrow;
mod as_text;
mod edited;
mod file;
mod group;
mod guard;
mod held;
mod id_type;
mod int96;
mod leaf;
mod path;
mod ranks;
mod source;
mod stream;
mod texts;
mod values;

use arrow_array::RecordBatch;

pub(crate) use self::{
    arrow::{ArrowFile, ArrowForm, ArrowRows},
    edited::{is_dictionary, texts_of_batch, texts_of_leaves, with_texts},
    file::ParquetFile,
    group::Leaves,
    held::HeldRows,
    leaf::{Leaf, Values},
    stream::{BatchRows, RowBatch, RowStream},
};
pub use self::{
    as_text::{as_texts, is_uuid, text_of_uuid, texts_of_uuids},
    guard::is_decoding,
    id_type::IntegerType,
    ranks::ranks_of,
    values::joined_texts,
};
use self::{texts::TextColumn, values::RowTexts};
use super::{memory::texts::readable, unopened::Unopened};
use crate::{
    BadRecord, Fields, Format, GroupValues, InputFile, Place, Problem, Rank, Record, StoredValue,
    StoredValues,
};

/// The rows of a batch, with their wanted columns.
#[derive(Debug)]
pub(crate) struct Rows<'s> {
    batch: RecordBatch,
    fields: &'s Fields,
    /// Rows with longer texts are skipped.
    max_record: u64,
    texts: RowTexts,
    id: Option<TextColumn>,
    number: Option<Vec<Option<Rank>>>,
    /// The columns to group by. `None` stands for one that is not in the batch.
    within: Vec<Option<TextColumn>>,
    /// The groups of the row that was read last.
    values: GroupValues,
    /// The columns to store. `None` stands for one that is not in the batch, or not readable as text.
    stored: Vec<Option<TextColumn>>,
    /// The values of the row that was read last.
    stored_values: StoredValues,
}

impl<'s> Rows<'s> {
    /// `None` if the text column is missing or not readable as text. Opening the file has ruled that out.
    pub(super) fn new(batch: RecordBatch, fields: &'s Fields, max_record: u64) -> Option<Rows<'s>> {
        let column = |field: &String| TextColumn::of(&path::column(&batch, field)?);
        let number = |field: &String| ranks_of(&path::column(&batch, field)?);
        let texts = RowTexts::of(&batch, &fields.text)?;
        let (id, number) = (fields.id.as_ref().and_then(column), fields.number.as_ref().and_then(number));
        let (within, values) = (fields.within.iter().map(column).collect(), GroupValues::default());
        let (stored, stored_values) = (fields.stored.iter().map(column).collect(), StoredValues::default());
        Some(Rows { texts, id, number, within, values, stored, stored_values, fields, max_record, batch })
    }

    pub(super) fn count(&self) -> u32 {
        self.batch.num_rows() as u32
    }

    pub(super) fn for_each(&mut self, visit: &mut dyn FnMut(Result<Record<'_>, BadRecord>)) -> u32 {
        for row in 0..self.count() {
            visit(self.record(Place { offset: row, line: row }));
        }
        self.count()
    }

    pub(super) fn record(&mut self, place: Place) -> Result<Record<'_>, BadRecord> {
        let bad = |problem| BadRecord { line: place.line, problem };
        let row = place.offset as usize;
        if place.offset >= self.count() {
            return Err(bad(Problem::Gone));
        }
        let found = self.texts.get(row, &self.fields.text).map_err(bad)?;
        let text = readable(found, self.fields, self.max_record).map_err(bad)?;
        self.values.clear();
        for column in &self.within {
            self.values.push(column.as_ref().and_then(|column| column.get(row)).map(str::as_bytes));
        }
        self.stored_values.clear();
        for column in &self.stored {
            let value = column.as_ref().and_then(|column| column.get(row));
            self.stored_values.push(value.map(StoredValue::Text));
        }
        let within = (!self.within.is_empty()).then_some(&self.values);
        let stored = (!self.stored.is_empty()).then_some(&self.stored_values);
        let number = self.number.as_ref().and_then(|number| number[row]);
        let id = self.id.as_ref().and_then(|id| id.get(row));
        Ok(Record { text, is_null: found.is_none(), id, number, within, stored, place })
    }
}

/// The names of the columns of a file of Parquet or Arrow.
///
/// # Errors
/// [`Problem::NotParquet`] or [`Problem::NotArrow`] if the file cannot be opened.
pub(crate) fn names_of(file: &InputFile) -> Result<Vec<String>, Unopened> {
    let columns = match file.format {
        Format::Arrow => ArrowFile::fields_of(file)?,
        _ => ParquetFile::fields_of(file)?,
    };
    Ok(columns.iter().map(|field| field.name().clone()).collect())
}

/// Rows of Arrow to be written again.
pub(crate) type WholeBatch = RecordBatch;

/// The number of rows.
pub(crate) fn rows_of(batch: &WholeBatch) -> u32 {
    batch.num_rows() as u32
}
