//! Kept records that are Parquet rows.

use std::{fmt, sync::Arc};

use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, RecordBatchOptions, StringArray,
    UInt32Array,
};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::take::take_record_batch;
use parquet::{
    arrow::ArrowWriter,
    basic::Compression,
    file::{metadata::KeyValue, properties::WriterProperties},
};

use super::{
    annotation::{Annotation, names},
    mode::{KeptRows, Mode},
};
use crate::write::{output::Output, publish::Complete, table::Cell};
use crate::{
    Error, InputFile,
    read::rows::{ParquetFile, Rows},
};

/// The metadata key of the Arrow schema. It is not copied, because the writer adds its own.
const SCHEMA_KEY: &str = "ARROW:schema";

/// A Parquet output with the schema, the metadata and the compression of an input.
pub(crate) struct RowOutput {
    writer: ArrowWriter<Output>,
    schema: SchemaRef,
}

impl fmt::Debug for RowOutput {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RowOutput").field("schema", &self.schema).finish_non_exhaustive()
    }
}

impl RowOutput {
    pub(crate) fn new(
        output: Output,
        like: &ParquetFile,
        file: &InputFile,
        mode: Mode,
    ) -> Result<RowOutput, Error> {
        let schema = match mode {
            Mode::Copy => Arc::clone(like.metadata.schema()),
            Mode::Annotate { score } => annotated_schema(like, file, score)?,
        };
        let path = output.path().to_owned();
        let metadata = like.metadata.metadata();
        let pairs: Option<Vec<KeyValue>> = metadata
            .file_metadata()
            .key_value_metadata()
            .map(|pairs| pairs.iter().filter(|pair| pair.key != SCHEMA_KEY).cloned().collect());
        let first_column = metadata.row_groups().first().and_then(|group| group.columns().first());
        let compression =
            first_column.map_or(Compression::ZSTD(Default::default()), |column| column.compression());
        let properties =
            WriterProperties::builder().set_key_value_metadata(pairs).set_compression(compression).build();
        let writer = ArrowWriter::try_new(output, Arc::clone(&schema), Some(properties))
            .map_err(|error| Error::Write { path, source: error.into() })?;
        Ok(RowOutput { writer, schema })
    }

    pub(crate) fn append(&mut self, rows: WrittenRows) -> Result<(), Error> {
        let WrittenRows { columns, rows } = rows;
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let written = RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options)
            .map_err(parquet::errors::ParquetError::from)
            .and_then(|batch| self.writer.write(&batch));
        written.map_err(|error| Error::Write {
            path: self.writer.inner().path().to_owned(),
            source: error.into(),
        })
    }

    pub(crate) fn complete(self) -> Result<Complete, Error> {
        let path = self.writer.inner().path().to_owned();
        let output = self.writer.into_inner().map_err(|error| Error::Write { path, source: error.into() })?;
        output.complete()
    }
}

/// The columns of the rows that are written, and their number of rows.
#[derive(Debug)]
pub(crate) struct WrittenRows {
    columns: Vec<ArrayRef>,
    rows: usize,
}

impl WrittenRows {
    pub(crate) fn of(from: &Rows<'_>, rows: KeptRows<'_>, file: &InputFile) -> Result<WrittenRows, Error> {
        let indices: UInt32Array = match rows {
            KeptRows::Copied(places) => places.iter().map(|place| place.offset).collect(),
            KeptRows::Annotated(rows) => rows.iter().map(|(place, _)| place.offset).collect(),
        };
        if indices.values().iter().any(|&row| row as usize >= from.batch.num_rows()) {
            return Err(Error::Changed { path: file.path.clone() });
        }
        let taken = take_record_batch(&from.batch, &indices)
            .map_err(|error| Error::Parquet { path: file.path.clone(), message: error.to_string() })?;
        let mut columns = taken.columns().to_vec();
        if let KeptRows::Annotated(rows) = rows {
            columns.extend(annotation_columns(rows.iter().map(|(_, annotation)| annotation)));
        }
        Ok(WrittenRows { columns, rows: taken.num_rows() })
    }
}

fn annotation_columns<'a>(rows: impl Iterator<Item = &'a Annotation<'a>> + Clone) -> [ArrayRef; 6] {
    let clusters: Int64Array = rows.clone().map(|row| row.cluster.map(|cluster| cluster as i64)).collect();
    let kept: BooleanArray = rows.clone().map(|row| Some(row.kept)).collect();
    let kept_ids: StringArray = rows.clone().map(|row| row.kept_id).collect();
    let scores: Float64Array = rows.clone().map(|row| number(row.score)).collect();
    let containments: Float64Array = rows.clone().map(|row| number(row.containment)).collect();
    let duplicates: Int64Array = rows.map(|row| Some(row.duplicates as i64)).collect();
    [
        Arc::new(clusters),
        Arc::new(kept),
        Arc::new(kept_ids),
        Arc::new(scores),
        Arc::new(containments),
        Arc::new(duplicates),
    ]
}

/// The number of a numeric cell.
fn number(cell: Cell<'_>) -> Option<f64> {
    match cell {
        Cell::Integer(integer) => Some(integer as f64),
        Cell::Number(number) => Some(number),
        _ => None,
    }
}

pub(crate) fn annotated_schema(
    table: &ParquetFile,
    file: &InputFile,
    score: &'static str,
) -> Result<SchemaRef, Error> {
    let (schema, names) = (table.metadata.schema(), names(score));
    if let Some(field) = names.into_iter().find(|name| schema.index_of(name).is_ok()) {
        return Err(Error::FieldExists { path: file.path.clone(), field });
    }
    let types = [
        DataType::Int64,
        DataType::Boolean,
        DataType::Utf8,
        DataType::Float64,
        DataType::Float64,
        DataType::Int64,
    ];
    let may_lack = |name| !matches!(name, "kept" | "duplicate_count");
    let added =
        names.into_iter().zip(types).map(|(name, kind)| Arc::new(Field::new(name, kind, may_lack(name))));
    let fields: Vec<_> = schema.fields().iter().cloned().chain(added).collect();
    Ok(Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone())))
}
