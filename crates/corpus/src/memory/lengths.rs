//! How long the texts of a batch are, so that it can be cut into chunks without a look at the texts.

use arrow_array::{
    Array, ArrayRef, LargeStringArray, RecordBatch, StringArray, StringViewArray, cast::AsArray,
};
use arrow_schema::DataType;

/// The lengths of all texts of a batch, row by row. They do not depend on the fields that are read, so that all scans have the same chunks.
#[derive(Default)]
pub(crate) struct Lengths(Vec<ColumnLengths>);

/// The lengths of the texts of a column.
enum ColumnLengths {
    Short(StringArray),
    Long(LargeStringArray),
    Views(StringViewArray),
    /// Values of a dictionary, which are long on average.
    Average(u64),
}

impl Lengths {
    pub(crate) fn of(batch: &RecordBatch) -> Lengths {
        let mut lengths = Lengths::default();
        batch.columns().iter().for_each(|column| lengths.add(column));
        lengths
    }

    /// How many bytes the texts of a row have.
    pub(crate) fn at(&self, row: usize) -> u64 {
        self.0.iter().map(|column| column.at(row)).sum()
    }

    /// How many bytes the texts of the first rows have.
    pub(crate) fn sum(&self, rows: usize) -> u64 {
        (0..rows).map(|row| self.at(row)).sum()
    }

    fn add(&mut self, column: &ArrayRef) {
        match column.data_type() {
            DataType::Utf8 => self.0.push(ColumnLengths::Short(column.as_string().clone())),
            DataType::LargeUtf8 => self.0.push(ColumnLengths::Long(column.as_string().clone())),
            DataType::Utf8View => self.0.push(ColumnLengths::Views(column.as_string_view().clone())),
            DataType::Dictionary(_, _) => {
                let values = column.as_any_dictionary().values();
                let mut lengths = Lengths::default();
                lengths.add(values);
                self.0.push(ColumnLengths::Average(lengths.sum(values.len()) / values.len().max(1) as u64));
            }
            DataType::Struct(_) => column.as_struct().columns().iter().for_each(|column| self.add(column)),
            _ => {}
        }
    }
}

impl ColumnLengths {
    fn at(&self, row: usize) -> u64 {
        match self {
            ColumnLengths::Short(texts) => texts.value_length(row) as u64,
            ColumnLengths::Long(texts) => texts.value_length(row) as u64,
            // The lower half of a view is the length of its text.
            ColumnLengths::Views(texts) => u64::from(texts.views()[row] as u32),
            ColumnLengths::Average(length) => *length,
        }
    }
}
