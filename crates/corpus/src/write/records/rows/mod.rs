//! Kept records that are rows of Parquet or Arrow, with the types, the metadata and the compression of their file.

mod arrow;
mod columns;
mod schema;

use std::{fmt, sync::Arc};

use parquet::{
    errors::{ParquetError, Result},
    file::{
        properties::{WriterProperties, WriterPropertiesPtr},
        writer::SerializedFileWriter,
    },
};

pub(crate) use self::arrow::{
    BatchOutput, WrittenBatch, annotated_columns, arrow_columns, check_edit, check_join, check_types,
};
use self::columns::GroupColumn;
pub(crate) use self::schema::{annotated_schema, typed_columns};
use super::{
    annotation::Annotation,
    mode::{KeptRows, RecordMode},
};
use crate::write::{output::Output, publish::Complete, table::Cell};
use crate::{
    Error, Fields, InputFile,
    read::rows::{Leaf, Leaves, ParquetFile, Values},
};

/// The most rows of a row group.
const GROUP_ROWS: usize = 1 << 20;

/// A row group ends when its pages, compressed, have as many bytes. They are in memory until then.
const GROUP_BYTES: usize = 128 << 20;

/// A Parquet output like an input.
pub(crate) struct RowOutput {
    writer: SerializedFileWriter<Output>,
    properties: WriterPropertiesPtr,
    /// The columns of the row group that is written now.
    columns: Vec<GroupColumn>,
    rows: usize,
}

impl fmt::Debug for RowOutput {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RowOutput").field("rows", &self.rows).finish_non_exhaustive()
    }
}

impl RowOutput {
    pub(crate) fn new(
        output: Output,
        like: &ParquetFile,
        file: &InputFile,
        mode: RecordMode,
    ) -> std::result::Result<RowOutput, Error> {
        let (schema, pairs) = match mode {
            RecordMode::Copy | RecordMode::Edit => (like.schema(), schema::metadata_of(like)),
            RecordMode::Annotate { score } => {
                (annotated_schema(like, file, score)?, schema::annotated_metadata(like, score))
            }
        };
        let mut properties = WriterProperties::builder().set_key_value_metadata(pairs);
        if let Some(group) = like.metadata.metadata().row_groups().first() {
            // A column that is added has the compression of the first one.
            properties = properties.set_compression(group.column(0).compression());
            for column in group.columns() {
                properties =
                    properties.set_column_compression(column.column_path().clone(), column.compression());
            }
        }
        let properties = Arc::new(properties.build());
        let path = output.path().to_owned();
        let writer = SerializedFileWriter::new(output, schema, Arc::clone(&properties))
            .map_err(|error| Error::Write { path, source: error.into() })?;
        Ok(RowOutput { writer, properties, columns: Vec::new(), rows: 0 })
    }

    pub(crate) fn append(&mut self, rows: WrittenRows) -> std::result::Result<(), Error> {
        self.append_rows(&rows).map_err(|error| self.write_error(error))
    }

    fn append_rows(&mut self, rows: &WrittenRows) -> Result<()> {
        if self.columns.is_empty() {
            let columns = self.writer.schema_descr().columns().iter();
            self.columns = columns.map(|column| GroupColumn::new(column, &self.properties)).collect();
        }
        if rows.columns.len() != self.columns.len() {
            return Err(ParquetError::General("a file has other columns than the first file".to_owned()));
        }
        for (leaf, column) in rows.columns.iter().zip(&mut self.columns) {
            leaf.write(&mut column.writer)?;
        }
        self.rows += rows.rows;
        let bytes = self.columns.iter().map(GroupColumn::bytes).sum::<usize>();
        if self.rows >= GROUP_ROWS || bytes >= GROUP_BYTES {
            self.end_group()?;
        }
        Ok(())
    }

    fn end_group(&mut self) -> Result<()> {
        self.rows = 0;
        let mut group = self.writer.next_row_group()?;
        for column in self.columns.drain(..) {
            let (pages, closed) = column.close()?;
            group.append_column(&pages, closed)?;
        }
        group.close().map(drop)
    }

    pub(crate) fn complete(mut self) -> std::result::Result<Complete, Error> {
        if self.rows > 0 {
            self.end_group().map_err(|error| self.write_error(error))?;
        }
        let path = self.writer.inner().path().to_owned();
        let output = self.writer.into_inner().map_err(|error| Error::Write { path, source: error.into() })?;
        output.complete()
    }

    fn write_error(&self, error: ParquetError) -> Error {
        Error::Write { path: self.writer.inner().path().to_owned(), source: error.into() }
    }
}

/// Rows that are written, with the columns of their output.
#[derive(Debug)]
pub(crate) struct WrittenRows {
    columns: Vec<Leaf>,
    rows: usize,
}

impl WrittenRows {
    pub(crate) fn of(
        from: &Leaves,
        rows: KeptRows<'_>,
        file: &InputFile,
        fields: &Fields,
    ) -> std::result::Result<WrittenRows, Error> {
        let numbers: Vec<u32> = rows.places().iter().map(|place| place.offset).collect();
        if numbers.iter().any(|&row| row >= from.rows) {
            return Err(Error::Changed { path: file.path.clone() });
        }
        let mut columns: Vec<Leaf> = from.columns.iter().map(|column| column.take(&numbers)).collect();
        match rows {
            KeptRows::Copied(_) => {}
            KeptRows::Annotated(rows) => {
                columns.extend(annotation_columns(rows.iter().map(|(_, annotation)| annotation)));
            }
            KeptRows::Edited(rows) => {
                let text = fields.text.single().and_then(|name| from.text_column(name));
                if let Some(Leaf::Bytes(texts)) = text.map(|column| &mut columns[column]) {
                    texts.replace(rows.iter().map(|(_, text)| text.as_deref()));
                } else if rows.iter().any(|(_, text)| text.is_some()) {
                    return Err(Error::EditedText { path: file.path.clone() });
                }
            }
        }
        Ok(WrittenRows { columns, rows: numbers.len() })
    }
}

/// The columns of [`schema::added_columns`].
fn annotation_columns<'a>(rows: impl Iterator<Item = &'a Annotation<'a>> + Clone) -> [Leaf; 6] {
    [
        Leaf::Int64(Values::of(rows.clone().map(|row| row.cluster.map(|cluster| cluster as i64)), true)),
        Leaf::Bool(Values::of(rows.clone().map(|row| Some(row.kept)), false)),
        Leaf::Bytes(Values::of(rows.clone().map(|row| row.kept_id.map(Into::into)), true)),
        Leaf::Double(Values::of(rows.clone().map(|row| number(row.score)), true)),
        Leaf::Double(Values::of(rows.clone().map(|row| number(row.containment)), true)),
        Leaf::Int64(Values::of(rows.map(|row| Some(row.duplicates as i64)), false)),
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
