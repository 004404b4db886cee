//! Tables of results, in Arrow memory.

use crate::arrow;
use crate::column::Column;
use crate::error;
use crate::ipc::{batch_of, stream_of};
use crate::value;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema};
use lookalike_corpus::{Cell, ColumnKind, TableWriter, Waiting};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyList};
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
        let column =
            found.map(|(index, field)| Column::of_field(Arc::clone(field), self.0.column(index).clone()));
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
