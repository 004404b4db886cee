//! A column of a result, in Arrow memory.

use crate::arrow;
use crate::ipc::{batch_of, stream_of};
use crate::value;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{Field, FieldRef, Schema};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyCapsule, PyList};
use std::sync::Arc;

/// A column of a table.
#[pyclass(frozen, name = "ArrowColumn")]
pub(crate) struct Column {
    /// Its name and its type, which may be an extension of a type of Arrow.
    field: FieldRef,
    values: ArrayRef,
}

impl Column {
    pub(crate) fn new(values: ArrayRef) -> Self {
        Self::of_field(Arc::new(Field::new("", values.data_type().clone(), true)), values)
    }

    pub(crate) fn of_field(field: FieldRef, values: ArrayRef) -> Self {
        Column { field, values }
    }
}

#[pymethods]
impl Column {
    fn __len__(&self) -> usize {
        self.values.len()
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // As for a table.
        let _ = requested_schema;
        arrow::array(py, &self.field, &self.values)
    }

    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let values = PyList::empty(py);
        for row in 0..self.values.len() {
            values.append(value::of_field(py, &self.field, &self.values, row)?)?;
        }
        Ok(values)
    }

    /// A table with this column, as a stream in the IPC format of Arrow.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let schema = Arc::new(Schema::new(vec![Arc::clone(&self.field)]));
        let table = RecordBatch::try_new(schema, vec![self.values.clone()]);
        Ok(PyBytes::new(py, &stream_of(&table.map_err(|error| PyValueError::new_err(error.to_string()))?)?))
    }

    /// The column of such a stream.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        let batch = batch_of(bytes)?;
        let (Some(values), Some(field)) = (batch.columns().first(), batch.schema().fields().first().cloned())
        else {
            return Err(PyValueError::new_err("the stream has no column"));
        };
        Ok(Column { field, values: values.clone() })
    }

    /// The name of a numpy type and the bytes of the values, if there are no nulls and the values are numbers.
    fn buffer<'py>(&self, py: Python<'py>) -> Option<(&'static str, Bound<'py, PyByteArray>)> {
        let (kind, bytes) = value::numbers(&self.values)?;
        Some((kind, PyByteArray::new(py, &bytes)))
    }
}
