//! A column of texts of any type of Arrow for texts, which is not copied.

use crate::error;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, LargeStringArray, StringArray, StringViewArray};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A column of texts, in pieces.
#[derive(Debug, Default)]
pub(crate) struct TextPieces {
    pieces: Vec<TextPiece>,
    /// The number of rows up to the end of each piece.
    ends: Vec<usize>,
}

#[derive(Debug)]
enum TextPiece {
    Short(StringArray),
    Long(LargeStringArray),
    Views(StringViewArray),
    /// For each row its index in the values. A row without a value has `usize::MAX`.
    Dictionary(Vec<usize>, Box<TextPiece>),
    /// Rows without texts.
    Nothing,
}

impl TextPieces {
    pub(crate) fn rows(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The text of a row, if it has one.
    pub(crate) fn at(&self, row: usize) -> Option<&str> {
        let index = self.ends.partition_point(|&end| end <= row);
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        self.pieces[index].at(row - start)
    }

    /// Appends a piece. `name` is for messages.
    pub(crate) fn push(&mut self, name: &str, array: &ArrayRef) -> PyResult<()> {
        self.pieces.push(TextPiece::of(name, array)?);
        self.ends.push(self.rows() + array.len());
        Ok(())
    }
}

/// Values without runs, and without a dictionary unless it is one of texts.
pub(super) fn decoded(values: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    match values.data_type() {
        DataType::RunEndEncoded(_, field) => decoded(&cast(values, field.data_type())?),
        DataType::Dictionary(_, kind) if !kind.is_string() => decoded(&cast(values, kind)?),
        _ => Ok(values.clone()),
    }
}

impl TextPiece {
    fn of(name: &str, array: &ArrayRef) -> PyResult<Self> {
        let array = &decoded(array).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(match array.data_type() {
            DataType::Utf8 => TextPiece::Short(array.as_string().clone()),
            DataType::LargeUtf8 => TextPiece::Long(array.as_string().clone()),
            DataType::Utf8View => TextPiece::Views(array.as_string_view().clone()),
            DataType::Null => TextPiece::Nothing,
            DataType::Dictionary(_, _) => {
                let dictionary = array.as_any_dictionary();
                let values = TextPiece::of(name, dictionary.values())?;
                let mut keys = dictionary.normalized_keys();
                let nulls = keys.iter_mut().enumerate().filter(|(row, _)| array.is_null(*row));
                nulls.for_each(|(_, key)| *key = usize::MAX);
                TextPiece::Dictionary(keys, Box::new(values))
            }
            kind => {
                return Err(error::wrong_type(format!(
                    "column {name:?} has type {kind}; name a column of texts"
                )));
            }
        })
    }

    fn at(&self, row: usize) -> Option<&str> {
        match self {
            TextPiece::Short(texts) => texts.is_valid(row).then(|| texts.value(row)),
            TextPiece::Long(texts) => texts.is_valid(row).then(|| texts.value(row)),
            TextPiece::Views(texts) => texts.is_valid(row).then(|| texts.value(row)),
            TextPiece::Dictionary(keys, values) => {
                Some(keys[row]).filter(|&key| key != usize::MAX).and_then(|key| values.at(key))
            }
            TextPiece::Nothing => None,
        }
    }
}
