//! Values of Arrow arrays, as values of Python and as cells of files.

use crate::error;
use crate::moment;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_cast::cast;
use arrow_schema::{DataType, Field};
use lookalike_corpus::{Cell, ColumnKind};
use lookalike_corpus::{as_texts, is_uuid, text_of_uuid, texts_of_uuids};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

/// A value of Python.
///
/// # Errors
/// `TypeError` for a type that no result of the package has. A table that was given may have it.
pub(crate) fn at<'py>(py: Python<'py>, array: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if array.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    macro_rules! primitive {
        ($($variant:ident => $kind:ty),*) => {
            match array.data_type() {
                $(DataType::$variant => Some(array.as_primitive::<$kind>().value(row).into_pyobject(py)?.into_any()),)*
                _ => None,
            }
        };
    }
    let number = primitive!(
        Int8 => Int8Type, Int16 => Int16Type, Int32 => Int32Type, Int64 => Int64Type,
        UInt8 => UInt8Type, UInt16 => UInt16Type, UInt32 => UInt32Type, UInt64 => UInt64Type,
        Float32 => Float32Type, Float64 => Float64Type
    );
    if let Some(value) = number.map_or_else(|| moment::at(py, array, row), |number| Ok(Some(number)))? {
        return Ok(value);
    }
    Ok(match array.data_type() {
        DataType::Boolean => array.as_boolean().value(row).into_pyobject(py)?.to_owned().into_any(),
        DataType::Utf8 => array.as_string::<i32>().value(row).into_pyobject(py)?.into_any(),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row).into_pyobject(py)?.into_any(),
        DataType::Utf8View => array.as_string_view().value(row).into_pyobject(py)?.into_any(),
        DataType::Binary => PyBytes::new(py, array.as_binary::<i32>().value(row)).into_any(),
        DataType::LargeBinary => PyBytes::new(py, array.as_binary::<i64>().value(row)).into_any(),
        DataType::BinaryView => PyBytes::new(py, array.as_binary_view().value(row)).into_any(),
        DataType::FixedSizeBinary(_) => PyBytes::new(py, array.as_fixed_size_binary().value(row)).into_any(),
        DataType::List(_) => {
            let values = array.as_list::<i32>().value(row);
            let values =
                (0..values.len()).map(|place| at(py, &values, place)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, values)?.into_any()
        }
        DataType::Dictionary(_, kind) => at(py, &converted(&array.slice(row, 1), kind)?, 0)?,
        DataType::RunEndEncoded(_, field) => at(py, &converted(&array.slice(row, 1), field.data_type())?, 0)?,
        DataType::Null => py.None().into_bound(py),
        kind => {
            let message =
                format!("a value of type {kind} has no Python type here; use to_arrow() or to_polars()");
            return Err(error::wrong_type(message));
        }
    })
}

/// The same for the column of a field. A UUID is its canonical text.
pub(crate) fn of_field<'py>(
    py: Python<'py>,
    field: &Field,
    array: &ArrayRef,
    row: usize,
) -> PyResult<Bound<'py, PyAny>> {
    match is_uuid(field) && array.is_valid(row) {
        true => Ok(text_of_uuid(array.as_fixed_size_binary().value(row)).into_pyobject(py)?.into_any()),
        false => at(py, array, row),
    }
}

/// Values as those of another type.
fn converted(values: &ArrayRef, kind: &DataType) -> PyResult<ArrayRef> {
    cast(values, kind).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The name of a numpy type, and the bytes of all values. `None` if there are nulls, or other values than numbers.
pub(crate) fn numbers(array: &ArrayRef) -> Option<(&'static str, Vec<u8>)> {
    if array.null_count() > 0 {
        return None;
    }
    Some(match array.data_type() {
        DataType::UInt8 => ("uint8", array.as_primitive::<UInt8Type>().values().inner().as_slice().to_vec()),
        DataType::UInt32 => {
            ("uint32", array.as_primitive::<UInt32Type>().values().inner().as_slice().to_vec())
        }
        DataType::UInt64 => {
            ("uint64", array.as_primitive::<UInt64Type>().values().inner().as_slice().to_vec())
        }
        DataType::Int64 => ("int64", array.as_primitive::<Int64Type>().values().inner().as_slice().to_vec()),
        DataType::Float64 => {
            ("float64", array.as_primitive::<Float64Type>().values().inner().as_slice().to_vec())
        }
        DataType::Boolean => ("bool", array.as_boolean().values().iter().map(u8::from).collect()),
        _ => return None,
    })
}

/// The column, or its values as texts if files have no such values.
pub(crate) fn writable(field: &Field, array: &ArrayRef) -> ArrayRef {
    match array.data_type() {
        _ if is_uuid(field) => texts_of_uuids(array),
        DataType::UInt32
        | DataType::UInt64
        | DataType::Float64
        | DataType::Boolean
        | DataType::FixedSizeBinary(_) => array.clone(),
        DataType::UInt8 | DataType::UInt16 => {
            cast(array, &DataType::UInt32).unwrap_or_else(|_| array.clone())
        }
        kind if kind.is_nested() => array.clone(),
        _ => as_texts(array).unwrap_or_else(|_| array.clone()),
    }
}

/// The kind of a column in a file.
pub(crate) fn kind(array: &ArrayRef) -> Result<ColumnKind, String> {
    Ok(match array.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => ColumnKind::Text,
        DataType::UInt32 | DataType::UInt64 => ColumnKind::Integer,
        DataType::Float64 => ColumnKind::Number6,
        DataType::Boolean => ColumnKind::Bool,
        DataType::FixedSizeBinary(bytes) => ColumnKind::Bytes(*bytes as usize),
        kind => {
            return Err(format!("a column of type {kind} cannot be written; use to_arrow() or to_polars()"));
        }
    })
}

/// A value of a file.
pub(crate) fn cell(array: &ArrayRef, row: usize) -> Cell<'_> {
    if array.is_null(row) {
        return Cell::Absent;
    }
    match array.data_type() {
        DataType::Utf8 => Cell::Text(array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => Cell::Text(array.as_string::<i64>().value(row)),
        DataType::Utf8View => Cell::Text(array.as_string_view().value(row)),
        DataType::UInt32 => Cell::Integer(array.as_primitive::<UInt32Type>().value(row).into()),
        DataType::UInt64 => Cell::Integer(array.as_primitive::<UInt64Type>().value(row)),
        DataType::Float64 => Cell::Number(array.as_primitive::<Float64Type>().value(row)),
        DataType::Boolean => Cell::Bool(array.as_boolean().value(row)),
        DataType::FixedSizeBinary(_) => Cell::Bytes(array.as_fixed_size_binary().value(row)),
        _ => Cell::Absent,
    }
}
