//! The texts of a column, read where they are.

use arrow_array::{
    Array, ArrayRef, LargeStringArray, StringArray, StringViewArray, UInt64Array, cast::AsArray,
    types::UInt64Type,
};
use arrow_cast::cast;
use arrow_schema::DataType;

use super::as_text::as_texts;

/// A column of texts, or of values that were made texts.
#[derive(Debug)]
pub(super) enum TextColumn {
    Short(StringArray),
    Long(LargeStringArray),
    Views(StringViewArray),
    Dictionary { keys: UInt64Array, values: Box<TextColumn> },
}

impl TextColumn {
    /// Texts stay where they are. Of other values text is made, such as the digits of numbers; `None` if there is none of them.
    pub(super) fn of(column: &ArrayRef) -> Option<TextColumn> {
        Some(match column.data_type() {
            DataType::Utf8 => TextColumn::Short(column.as_string().clone()),
            DataType::LargeUtf8 => TextColumn::Long(column.as_string().clone()),
            DataType::Utf8View => TextColumn::Views(column.as_string_view().clone()),
            DataType::Dictionary(_, _) => {
                let dictionary = column.as_any_dictionary();
                let keys = cast(dictionary.keys(), &DataType::UInt64).ok()?;
                let keys = keys.as_primitive::<UInt64Type>().clone();
                TextColumn::Dictionary { keys, values: Box::new(TextColumn::of(dictionary.values())?) }
            }
            // Programs of old have texts in such columns.
            DataType::Binary | DataType::LargeBinary | DataType::BinaryView => {
                TextColumn::Long(cast(column, &DataType::LargeUtf8).ok()?.as_string().clone())
            }
            _ => TextColumn::of(&as_texts(column).ok()?)?,
        })
    }

    /// The text of a row; `None` if it is null, or there is no such row.
    pub(super) fn get(&self, row: usize) -> Option<&str> {
        match self {
            TextColumn::Short(texts) => texts.is_valid(row).then(|| texts.value(row)),
            TextColumn::Long(texts) => texts.is_valid(row).then(|| texts.value(row)),
            TextColumn::Views(texts) => texts.is_valid(row).then(|| texts.value(row)),
            TextColumn::Dictionary { keys, values } => {
                let key = keys.is_valid(row).then(|| keys.value(row))? as usize;
                // A broken batch may have keys of no value.
                (key < values.len()).then(|| values.get(key))?
            }
        }
    }

    fn len(&self) -> usize {
        match self {
            TextColumn::Short(texts) => texts.len(),
            TextColumn::Long(texts) => texts.len(),
            TextColumn::Views(texts) => texts.len(),
            TextColumn::Dictionary { keys, .. } => keys.len(),
        }
    }
}
