//! Tables of results, in Arrow memory.

use crate::arrow;
use crate::error;
use crate::value;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{Field, FieldRef, Schema};
use lookalike_corpus::{Cell, ColumnKind, TableWriter, Waiting};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyCapsule, PyDict, PyList};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// A table.
#[pyclass(frozen, name = "ArrowTable")]
pub(crate) struct Table(RecordBatch);

impl Table {
    pub(crate) fn new(batch: RecordBatch) -> Self {
        Table(batch)
    }

    pub(crate) fn batch(&self) -> &RecordBatch {
        &self.0
    }

    /// A table of columns of equal length.
    pub(crate) fn of_columns(columns: Vec<(&str, ArrayRef)>) -> Self {
        Self::described(columns, HashMap::new())
    }

    /// The same with metadata.
    pub(crate) fn described(columns: Vec<(&str, ArrayRef)>, metadata: HashMap<String, String>) -> Self {
        let rows = columns.first().map_or(0, |(_, column)| column.len());
        let field = |(name, column): &(&str, ArrayRef)| Field::new(*name, column.data_type().clone(), true);
        let schema = Schema::new_with_metadata(columns.iter().map(field).collect::<Vec<_>>(), metadata);
        let columns = columns.into_iter().map(|(_, column)| column).collect();
        let batch = RecordBatch::try_new(Arc::new(schema), columns);
        debug_assert!(batch.as_ref().is_ok_and(|batch| batch.num_rows() == rows), "columns are equally long");
        Table(batch.unwrap_or_else(|_| RecordBatch::new_empty(Arc::new(Schema::empty()))))
    }
}

#[pymethods]
impl Table {
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.0.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn column(&self, name: &str) -> PyResult<Column> {
        let schema = self.0.schema();
        let found = schema.fields().find(name);
        let column = found
            .map(|(index, field)| Column { field: Arc::clone(field), values: self.0.column(index).clone() });
        let columns = || self.columns().join(", ");
        column
            .ok_or_else(|| PyKeyError::new_err(format!("no column {name:?}; the columns are {}", columns())))
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows to leave a wish for other types unfulfilled.
        let _ = requested_schema;
        arrow::batches(py, self.0.schema(), vec![self.0.clone()])
    }

    /// Some rows, as dicts.
    fn dicts<'py>(&self, py: Python<'py>, start: usize, end: usize) -> PyResult<Bound<'py, PyList>> {
        let (schema, end) = (self.0.schema(), end.min(self.0.num_rows()));
        let rows = PyList::empty(py);
        for row in start..end {
            let dict = PyDict::new(py);
            for (field, column) in schema.fields().iter().zip(self.0.columns()) {
                dict.set_item(field.name(), value::of_field(py, field, column, row)?)?;
            }
            rows.append(dict)?;
        }
        Ok(rows)
    }

    /// The table as a stream in the IPC format of Arrow.
    pub(crate) fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &stream_of(&self.0)?))
    }

    /// The table of such a stream.
    #[staticmethod]
    pub(crate) fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        Ok(Table(batch_of(bytes)?))
    }

    /// Writes a file, whose format follows from its name.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.write_to(&path)).map_err(|message| error::output(py, message))
    }
}

impl Table {
    fn write_to(&self, path: &std::path::Path) -> Result<(), String> {
        let schema = self.0.schema();
        // Ids may be integers of any kind.
        let columns = schema.fields().iter().zip(self.0.columns());
        let written: Vec<ArrayRef> = columns.map(|(field, column)| value::writable(field, column)).collect();
        let kinds = written.iter().map(value::kind);
        let kinds: Vec<ColumnKind> = kinds.collect::<Result<_, _>>()?;
        let columns: Vec<(&str, ColumnKind)> =
            schema.fields().iter().map(|field| field.name().as_str()).zip(kinds).collect();
        let mut table =
            TableWriter::create(path, &columns, &Waiting::default()).map_err(|error| error.to_string())?;
        for row in 0..self.0.num_rows() {
            let cells: Vec<Cell<'_>> = written.iter().map(|column| value::cell(column, row)).collect();
            table.row(&cells).map_err(|error| error.to_string())?;
        }
        let completed = table.complete().map_err(|error| error.to_string())?;
        completed.publish().map_err(|error| error.to_string())?;
        Ok(())
    }
}

/// A batch as a stream in the IPC format of Arrow.
fn stream_of(batch: &RecordBatch) -> PyResult<Vec<u8>> {
    let mut bytes = Vec::new();
    let written = StreamWriter::try_new(&mut bytes, &batch.schema()).and_then(|mut writer| {
        writer.write(batch)?;
        writer.finish()
    });
    written.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(bytes)
}

/// The batch of such a stream.
fn batch_of(bytes: &[u8]) -> PyResult<RecordBatch> {
    let read = StreamReader::try_new(bytes, None).and_then(|mut reader| {
        let schema = reader.schema();
        reader.next().unwrap_or_else(|| Ok(RecordBatch::new_empty(schema)))
    });
    read.map_err(|error| PyValueError::new_err(error.to_string()))
}

/// A column of a table.
#[pyclass(frozen, name = "ArrowColumn")]
pub(crate) struct Column {
    /// Its name and its type, which may be an extension of a type of Arrow.
    field: FieldRef,
    values: ArrayRef,
}

impl Column {
    pub(crate) fn new(values: ArrayRef) -> Self {
        Column { field: Arc::new(Field::new("", values.data_type().clone(), true)), values }
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
