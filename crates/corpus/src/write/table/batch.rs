use std::{fmt, path::PathBuf, sync::Arc};

use arrow_array::{
    ArrayRef, RecordBatch,
    builder::{
        BooleanBuilder, FixedSizeBinaryBuilder, Float64Builder, Int64Builder, ListBuilder, StringBuilder,
        UInt32Builder,
    },
};
use arrow_cast::{CastOptions, cast_with_options, display::FormatOptions};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::{
    arrow::ArrowWriter,
    basic::Compression,
    errors::{ParquetError, Result},
    file::properties::WriterProperties,
};

use super::{Cell, ColumnKind};
use crate::{
    Error, IntegerType,
    write::{output::Output, publish::Complete},
};

/// Rows that are passed to the Parquet writer at once. More rows do not make it faster.
const BATCH_ROWS: usize = 8192;

/// A number that does not fit is an error, and no null.
const STRICTLY: CastOptions<'static> = CastOptions { safe: false, format_options: FormatOptions::new() };

/// A table as Parquet, compressed with Zstandard.
pub(super) struct BatchTable {
    path: PathBuf,
    /// The file, until the first rows are written to it.
    output: Option<Output>,
    writer: Option<ArrowWriter<Output>>,
    schema: SchemaRef,
    columns: Vec<ColumnBuilder>,
    rows: usize,
}

enum ColumnBuilder {
    Text(StringBuilder),
    /// Ids that are texts.
    Id(StringBuilder),
    /// Ids that are whole numbers, and their type.
    IntegerId(Int64Builder, DataType),
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
        Ok(BatchTable {
            path: output.path().to_owned(),
            output: Some(output),
            writer: None,
            schema: Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>())),
            columns: columns.iter().map(|&(_, kind)| ColumnBuilder::new(kind)).collect(),
            rows: 0,
        })
    }

    /// From now on, ids have this type. There are no rows yet.
    pub(super) fn write_ids_as(&mut self, ids: &IntegerType) {
        let mut fields: Vec<_> = self.schema.fields().iter().map(|field| Field::clone(field)).collect();
        for (column, field) in self.columns.iter_mut().zip(&mut fields) {
            if let ColumnBuilder::Id(_) = column {
                *column = ColumnBuilder::IntegerId(Int64Builder::new(), ids.0.clone());
                field.set_data_type(ids.0.clone());
            }
        }
        self.schema = Arc::new(Schema::new(fields));
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
        let ended = || ParquetError::General("the table has ended".to_owned());
        let output = self.writer.take().ok_or_else(ended).and_then(ArrowWriter::into_inner);
        output.map_err(|error| self.write_error(error))?.complete()
    }

    fn flush(&mut self) -> Result<()> {
        let columns = self.columns.iter_mut().map(ColumnBuilder::finish).collect::<Result<_>>()?;
        let rows = RecordBatch::try_new(Arc::clone(&self.schema), columns)?;
        if let Some(output) = self.output.take() {
            let properties =
                WriterProperties::builder().set_compression(Compression::ZSTD(Default::default()));
            self.writer =
                Some(ArrowWriter::try_new(output, Arc::clone(&self.schema), Some(properties.build()))?);
        }
        self.writer.as_mut().map_or(Ok(()), |writer| writer.write(&rows))
    }

    fn write_error(&self, error: ParquetError) -> Error {
        Error::Write { path: self.path.clone(), source: error.into() }
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
            ColumnKind::Id => ColumnBuilder::Id(StringBuilder::new()),
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
            (ColumnBuilder::Text(column) | ColumnBuilder::Id(column), Cell::Text(text)) => {
                column.append_value(text);
            }
            (ColumnBuilder::Text(column) | ColumnBuilder::Id(column), Cell::Absent) => column.append_null(),
            (ColumnBuilder::IntegerId(column, _), Cell::Text(id)) => {
                column.append_value(id.parse().expect("every id is a whole number"));
            }
            (ColumnBuilder::IntegerId(column, _), Cell::Absent) => column.append_null(),
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

    fn finish(&mut self) -> Result<ArrayRef> {
        Ok(match self {
            ColumnBuilder::Text(column) | ColumnBuilder::Id(column) => Arc::new(column.finish()),
            ColumnBuilder::IntegerId(column, data_type) => {
                cast_with_options(&column.finish(), data_type, &STRICTLY)?
            }
            ColumnBuilder::Integer(column) => Arc::new(column.finish()),
            ColumnBuilder::Number(column) => Arc::new(column.finish()),
            ColumnBuilder::Bool(column) => Arc::new(column.finish()),
            ColumnBuilder::Numbers(column) => Arc::new(column.finish()),
            ColumnBuilder::Bytes(column) => Arc::new(column.finish()),
        })
    }
}

fn data_type(kind: ColumnKind) -> DataType {
    match kind {
        ColumnKind::Text | ColumnKind::Id => DataType::Utf8,
        ColumnKind::Integer => DataType::Int64,
        ColumnKind::Number6 => DataType::Float64,
        ColumnKind::Bool => DataType::Boolean,
        ColumnKind::Numbers => DataType::List(Arc::new(Field::new_list_field(DataType::UInt32, true))),
        ColumnKind::Bytes(size) => DataType::FixedSizeBinary(size as i32),
    }
}
