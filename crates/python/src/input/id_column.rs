//! A column of ids: as they are given back, and as texts, by which files and indexes know them.

use super::text_column::TextPieces;
use crate::error;
use arrow_array::{Array, ArrayRef};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, Field};
use arrow_select::concat::concat;
use lookalike_corpus::{as_texts, is_uuid, texts_of_uuids};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Ids of documents.
#[derive(Debug, Default)]
pub(super) struct IdColumn {
    texts: TextPieces,
    given: Vec<ArrayRef>,
}

impl IdColumn {
    /// Appends a piece. UUIDs become their canonical texts, as most libraries have no other form for them.
    ///
    /// # Errors
    /// `TypeError` for values that are no ids. `name` is for messages.
    pub(super) fn push(&mut self, name: &str, field: &Field, ids: &ArrayRef) -> PyResult<()> {
        let ids = match field.data_type() {
            _ if is_uuid(field) => texts_of_uuids(ids),
            // No library has values of the type null.
            DataType::Null => cast(ids, &DataType::Utf8).map_err(failed)?,
            DataType::Dictionary(_, values) => cast(ids, values).map_err(failed)?,
            _ => ids.clone(),
        };
        if !is_id(ids.data_type()) {
            let kind = ids.data_type();
            let message = format!(
                "column {name:?} has type {kind}; ids are texts, integers, UUIDs, dates, times, decimals or bytes"
            );
            return Err(error::wrong_type(message));
        }
        self.texts.push(name, &as_texts(&ids).map_err(failed)?)?;
        self.given.push(ids);
        Ok(())
    }

    /// The text of an id.
    pub(super) fn at(&self, row: usize) -> Option<&str> {
        self.texts.at(row)
    }

    /// All ids, as they are given back.
    pub(super) fn given(&self) -> PyResult<ArrayRef> {
        let pieces: Vec<&dyn Array> = self.given.iter().map(AsRef::as_ref).collect();
        concat(&pieces).map_err(failed)
    }
}

/// Two numbers with a fraction that are equal for people may differ in their last digit, so they are no ids.
fn is_id(kind: &DataType) -> bool {
    kind.is_integer()
        || kind.is_string()
        || kind.is_binary()
        || kind.is_decimal()
        || matches!(
            kind,
            DataType::Date32
                | DataType::Date64
                | DataType::Time32(_)
                | DataType::Time64(_)
                | DataType::Timestamp(_, _)
                | DataType::Duration(_)
        )
}

fn failed(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
