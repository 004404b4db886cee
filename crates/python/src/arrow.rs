//! Arrow data from Python and to Python, by the capsules of the Arrow PyCapsule interface, without copies.
//!
//! The code is `unsafe` because a capsule holds a struct of Arrow's C interface. Whoever takes the struct moves it out, and leaves one
//! without a release function, which is what an empty struct is.

use crate::error;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator, make_array};
use arrow_schema::{ArrowError, DataType, Field, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::CStr;
use std::ptr::NonNull;

const STREAM: &CStr = c"arrow_array_stream";
const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";

/// What an object of Python holds in Arrow memory.
pub(crate) struct Arrays {
    /// The type of all pieces. A struct stands for a record batch.
    pub(crate) kind: DataType,
    pub(crate) pieces: Vec<ArrayRef>,
}

impl Arrays {
    /// The arrays that an object gives: record batches, or the pieces of one column.
    ///
    /// # Errors
    /// `TypeError` if the object has neither `__arrow_c_stream__` nor `__arrow_c_array__`, or the error of the object.
    pub(crate) fn of(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        if data.hasattr("__arrow_c_stream__")? {
            return of_stream(&data.call_method0("__arrow_c_stream__")?);
        }
        if data.hasattr("__arrow_c_array__")? {
            let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
                data.call_method0("__arrow_c_array__")?.extract()?;
            return of_array(&schema, &array);
        }
        Err(error::wrong_type(format!("{} has no Arrow interface", data.get_type().name()?)))
    }
}

fn of_stream(capsule: &Bound<'_, PyAny>) -> PyResult<Arrays> {
    let stream: FFI_ArrowArrayStream = taken(capsule, STREAM, FFI_ArrowArrayStream::empty())?;
    // The producer may need other threads of Python to go on.
    let read = capsule.py().detach(move || {
        let reader = ArrayStreamReader::try_new(stream)?;
        let kind = arrow_array::ArrayReader::field(&reader).data_type().clone();
        Ok(Arrays { kind, pieces: reader.collect::<Result<_, _>>()? })
    });
    read.map_err(failed)
}

fn of_array(schema: &Bound<'_, PyAny>, array: &Bound<'_, PyAny>) -> PyResult<Arrays> {
    let schema: FFI_ArrowSchema = taken(schema, SCHEMA, FFI_ArrowSchema::empty())?;
    let array: FFI_ArrowArray = taken(array, ARRAY, FFI_ArrowArray::empty())?;
    // SAFETY: Both structs were moved out of the capsules of one call of `__arrow_c_array__`, which describe the same array.
    #[expect(unsafe_code, reason = "arrow cannot check that a pointer of another library is valid")]
    let data = unsafe { from_ffi(array, &schema) };
    let array = make_array(data.map_err(failed)?);
    Ok(Arrays { kind: array.data_type().clone(), pieces: vec![array] })
}

fn failed(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Moves the struct out of a capsule of this name, and leaves an empty one.
fn taken<T>(capsule: &Bound<'_, PyAny>, name: &'static CStr, empty: T) -> PyResult<T> {
    let capsule = capsule.cast::<PyCapsule>()?;
    let pointer: NonNull<T> = capsule.pointer_checked(Some(name))?.cast();
    // SAFETY: The interface demands that a capsule of this name holds a pointer to this struct, and the capsule lives until the end of the call.
    #[expect(unsafe_code, reason = "a capsule holds a pointer of C")]
    Ok(unsafe { pointer.replace(empty) })
}

/// A capsule with the stream of record batches.
pub(crate) fn batches<'py>(
    py: Python<'py>,
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let reader = RecordBatchIterator::new(batches.into_iter().map(Ok), schema);
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), STREAM)
}

/// The two capsules of an array: its schema, and its data.
pub(crate) fn array<'py>(
    py: Python<'py>,
    field: &Field,
    array: &dyn Array,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let (array, _) = to_ffi(&array.to_data()).map_err(failed)?;
    let schema = FFI_ArrowSchema::try_from(field).map_err(failed)?;
    Ok((PyCapsule::new_with_value(py, schema, SCHEMA)?, PyCapsule::new_with_value(py, array, ARRAY)?))
}
