//! Rows of Arrow data that stay.

use crate::arrow::Arrays;
use crate::error;
use crate::table::Table;
use arrow_array::cast::AsArray;
use arrow_array::{Array, BooleanArray, RecordBatch, new_empty_array};
use arrow_schema::{ArrowError, DataType, Schema};
use arrow_select::concat::concat_batches;
use arrow_select::filter::filter_record_batch;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use std::sync::Arc;

/// The rows of a table whose `mask` is not 0, for columns that pyarrow cannot filter.
#[pyfunction]
pub(crate) fn chosen_rows(table: &Bound<'_, PyAny>, mask: &Bound<'_, PyByteArray>) -> PyResult<Table> {
    let Arrays { kind, pieces } = Arrays::of(table)?;
    let DataType::Struct(fields) = &kind else {
        return Err(error::wrong_type(format!("a table is needed, and this has type {kind}")));
    };
    let schema = Arc::new(Schema::new(fields.clone()));
    let mask = BooleanArray::from_iter(mask.to_vec().iter().map(|&byte| Some(byte != 0)));
    let rows: usize = pieces.iter().map(|piece| piece.len()).sum();
    if rows != mask.len() {
        return Err(PyValueError::new_err(format!("the table has {rows} rows, not {}", mask.len())));
    }
    let mut start = 0;
    let mut chosen = Vec::with_capacity(pieces.len());
    for piece in &pieces {
        let batch = RecordBatch::from(piece.as_struct());
        chosen.push(filter_record_batch(&batch, &mask.slice(start, piece.len())).map_err(failed)?);
        start += piece.len();
    }
    if chosen.is_empty() {
        chosen.push(RecordBatch::from(new_empty_array(&kind).as_struct()));
    }
    Ok(Table::new(concat_batches(&schema, &chosen).map_err(failed)?))
}

fn failed(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
