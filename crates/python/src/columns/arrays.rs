//! Columns that are given, in one piece and of one type.

use crate::arrow::Arrays;
use crate::error;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_cast::cast;
use arrow_schema::DataType;
use arrow_select::concat::concat;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A column in one piece.
pub(super) fn whole(column: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let Arrays { kind, pieces } = Arrays::of(column)?;
    let pieces: Vec<&dyn Array> = pieces.iter().map(AsRef::as_ref).collect();
    if pieces.is_empty() {
        return Ok(arrow_array::new_empty_array(&kind));
    }
    concat(&pieces).map_err(failed)
}

/// A column of bytes.
pub(super) fn binary(column: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let column = whole(column)?;
    let kind = column.data_type();
    if !matches!(
        kind,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_)
    ) {
        return Err(error::wrong_type(format!("the column has type {kind}, and bytes are needed")));
    }
    cast(&column, &DataType::LargeBinary).map_err(failed)
}

/// Two columns of bytes of equal length.
pub(super) fn both(left: &Bound<'_, PyAny>, right: &Bound<'_, PyAny>) -> PyResult<(ArrayRef, ArrayRef)> {
    let (left, right) = (binary(left)?, binary(right)?);
    if left.len() != right.len() {
        return Err(unequal(left.len(), right.len()));
    }
    Ok((left, right))
}

/// Refuses signatures of another size than the plan's.
pub(super) fn check_sizes(signatures: &ArrayRef, size: usize) -> PyResult<()> {
    let signatures = signatures.as_binary::<i64>();
    let other =
        (0..signatures.len()).find(|&row| signatures.is_valid(row) && signatures.value(row).len() != size);
    other.map_or(Ok(()), |row| {
        let length = signatures.value(row).len();
        let message = format!("row {row} has {length} bytes, and a signature of the plan has {size}");
        Err(PyValueError::new_err(message))
    })
}

/// Refuses what is no set of features.
pub(super) fn check_features(features: &ArrayRef) -> PyResult<()> {
    let sets = features.as_binary::<i64>();
    let other = (0..sets.len()).find(|&row| sets.is_valid(row) && sets.value(row).len() % 8 != 0);
    other.map_or(Ok(()), |row| {
        let length = sets.value(row).len();
        let message = format!("row {row} has {length} bytes, and features have 8 bytes each");
        Err(PyValueError::new_err(message))
    })
}

pub(super) fn numbers(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
}

pub(super) fn numbers_of_64(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect()
}

pub(super) fn unequal(left: usize, right: usize) -> PyErr {
    PyValueError::new_err(format!("the columns have {left} and {right} rows"))
}

pub(super) fn failed(error: arrow_schema::ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
