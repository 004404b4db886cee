use std::{fmt, sync::Arc};

use arrow_array::{
    ArrayRef, RecordBatch,
    builder::{
        BooleanBuilder, FixedSizeBinaryBuilder, Float64Builder, Int64Builder, ListBuilder, StringBuilder,
        UInt32Builder,
    },
};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::{
    arrow::ArrowWriter,
    basic::Compression,
    errors::{ParquetError, Result},
    file::properties::WriterProperties,
};

use super::{Cell, ColumnKind};
use crate::{
    Error,
    write::{output::Output, publish::Complete},
};

/// Rows that are passed to the Parquet writer at once. More rows do not make it faster.
const BATCH_ROWS: usize = 8192;

/// A table as Parquet, compressed with Zstandard.
pub(super) struct BatchTable {
    writer: ArrowWriter<Output>,
    schema: SchemaRef,
    columns: Vec<ColumnBuilder>,
    rows: usize,
}

enum ColumnBuilder {
    Text(StringBuilder),
    Integer(Int64Builder),
    Number(Float64Builder),
    Bool(BooleanBuilder),
    Numbers(Box<ListBuilder<UInt32Builder>>),
    Bytes(Box<FixedSizeBinaryBuilder>),
}

impl BatchTable {
    pub(super) fn new(
        output: Output,
        columns: &[(&str, ColumnKind)],
    ) -> std::result::Result<BatchTable, Error> {
        let field = |&(name, kind): &(&str, ColumnKind)| Field::new(name, data_type(kind), true);
        let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
        let columns = columns.iter().map(|&(_, kind)| ColumnBuilder::new(kind)).collect();
        let properties =
            WriterProperties::builder().set_compression(Compression::ZSTD(Default::default())).build();
        let path = output.path().to_owned();
        let writer = ArrowWriter::try_new(output, Arc::clone(&schema), Some(properties))
            .map_err(|error| Error::Write { path, source: error.into() })?;
        Ok(BatchTable { writer, schema, columns, rows: 0 })
    }

    pub(super) fn row(&mut self, cells: &[Cell<'_>]) -> std::result::Result<(), Error> {
        self.columns.iter_mut().zip(cells).for_each(|(column, &cell)| column.push(cell));
        self.rows += 1;
        if self.rows < BATCH_ROWS {
            return Ok(());
        }
        self.rows = 0;
        self.flush().map_err(|error| self.write_error(error))
    }

    pub(super) fn complete(mut self) -> std::result::Result<Complete, Error> {
        self.flush().map_err(|error| self.write_error(error))?;
        let path = self.writer.inner().path().to_owned();
        let output = self.writer.into_inner().map_err(|error| Error::Write { path, source: error.into() })?;
        output.complete()
    }

    fn flush(&mut self) -> Result<()> {
        let columns = self.columns.iter_mut().map(ColumnBuilder::finish).collect();
        self.writer.write(&RecordBatch::try_new(Arc::clone(&self.schema), columns)?)
    }

    fn write_error(&self, error: ParquetError) -> Error {
        Error::Write { path: self.writer.inner().path().to_owned(), source: error.into() }
    }
}

impl fmt::Debug for BatchTable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("BatchTable").field("schema", &self.schema).finish_non_exhaustive()
    }
}

impl ColumnBuilder {
    fn new(kind: ColumnKind) -> ColumnBuilder {
        match kind {
            ColumnKind::Text => ColumnBuilder::Text(StringBuilder::new()),
            ColumnKind::Integer => ColumnBuilder::Integer(Int64Builder::new()),
            ColumnKind::Number6 => ColumnBuilder::Number(Float64Builder::new()),
            ColumnKind::Bool => ColumnBuilder::Bool(BooleanBuilder::new()),
            ColumnKind::Numbers => ColumnBuilder::Numbers(Box::new(ListBuilder::new(UInt32Builder::new()))),
            ColumnKind::Bytes(size) => {
                ColumnBuilder::Bytes(Box::new(FixedSizeBinaryBuilder::new(size as i32)))
            }
        }
    }

    fn push(&mut self, cell: Cell<'_>) {
        match (self, cell) {
            (ColumnBuilder::Text(column), Cell::Text(text)) => column.append_value(text),
            (ColumnBuilder::Text(column), Cell::Absent) => column.append_null(),
            (ColumnBuilder::Integer(column), Cell::Integer(integer)) => {
                // Programs without unsigned types read this one. No list has larger numbers.
                column.append_value(i64::try_from(integer).unwrap_or(i64::MAX));
            }
            (ColumnBuilder::Integer(column), Cell::Absent) => column.append_null(),
            (ColumnBuilder::Number(column), Cell::Number(number)) => column.append_value(number),
            (ColumnBuilder::Number(column), Cell::Absent) => column.append_null(),
            (ColumnBuilder::Bool(column), Cell::Bool(value)) => column.append_value(value),
            (ColumnBuilder::Bool(column), Cell::Absent) => column.append_null(),
            (ColumnBuilder::Numbers(column), Cell::Numbers(numbers)) => {
                column.values().append_slice(numbers);
                column.append(true);
            }
            (ColumnBuilder::Numbers(column), Cell::Absent) => column.append(false),
            (ColumnBuilder::Bytes(column), Cell::Bytes(bytes)) => {
                column.append_value(bytes).expect("as many bytes as the column says");
            }
            (ColumnBuilder::Bytes(column), Cell::Absent) => column.append_null(),
            (_, cell) => panic!("{cell:?} is not of the kind of its column"),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            ColumnBuilder::Text(column) => Arc::new(column.finish()),
            ColumnBuilder::Integer(column) => Arc::new(column.finish()),
            ColumnBuilder::Number(column) => Arc::new(column.finish()),
            ColumnBuilder::Bool(column) => Arc::new(column.finish()),
            ColumnBuilder::Numbers(column) => Arc::new(column.finish()),
            ColumnBuilder::Bytes(column) => Arc::new(column.finish()),
        }
    }
}

fn data_type(kind: ColumnKind) -> DataType {
    match kind {
        ColumnKind::Text => DataType::Utf8,
        ColumnKind::Integer => DataType::Int64,
        ColumnKind::Number6 => DataType::Float64,
        ColumnKind::Bool => DataType::Boolean,
        ColumnKind::Numbers => DataType::List(Arc::new(Field::new_list_field(DataType::UInt32, true))),
        ColumnKind::Bytes(size) => DataType::FixedSizeBinary(size as i32),
    }
}
