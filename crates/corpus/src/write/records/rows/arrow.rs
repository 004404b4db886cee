//! Kept records that are rows of Arrow, in the form, with the schema and the compression of their file.

use std::{collections::BTreeMap, fmt, sync::Arc};

use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int64Array, LargeListArray, ListArray, RecordBatch,
    StringArray, StructArray, UInt32Array, cast::AsArray,
};
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::{ArrowError, DataType, FieldRef, Schema, SchemaRef};
use arrow_select::{concat::concat_batches, take::take_record_batch};

use super::{number, schema::added_fields};
use crate::{
    Error, Fields, InputFile,
    inputs::add_features,
    read::rows::{ArrowFile, ArrowForm, is_dictionary, with_texts},
    write::{
        output::Output,
        publish::Complete,
        records::{
            annotation::{Annotation, added_features, names},
            mode::{KeptRows, RecordMode},
        },
    },
};

/// A record batch is written when its rows take as many bytes.
const BATCH_BYTES: usize = 64 << 20;

/// Where Hugging Face notes the types of the columns. It refuses a file with others.
const HUGGING_FACE: &str = "huggingface";

/// The most rows of a record batch, if those of the input are fewer.
const BATCH_ROWS: u64 = 1024;

/// An Arrow output like an input.
pub(crate) struct BatchOutput {
    writer: ArrowWriter,
    schema: SchemaRef,
    /// Rows that are not written yet, with their number and their bytes.
    waiting: Vec<RecordBatch>,
    waiting_rows: usize,
    waiting_bytes: usize,
    batch_rows: usize,
}

enum ArrowWriter {
    File(Box<FileWriter<Output>>),
    Stream(Box<StreamWriter<Output>>),
}

impl fmt::Debug for BatchOutput {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("BatchOutput").field("batch_rows", &self.batch_rows).finish_non_exhaustive()
    }
}

impl BatchOutput {
    pub(crate) fn new(
        output: Output,
        like: &ArrowFile,
        file: &InputFile,
        mode: RecordMode,
    ) -> Result<BatchOutput, Error> {
        let schema = match mode {
            RecordMode::Copy | RecordMode::Edit => Arc::clone(&like.schema),
            RecordMode::Annotate { score } => annotated_columns(like, file, score)?,
        };
        let path = output.path().to_owned();
        let writer = ArrowWriter::new(output, like, &schema);
        let writer = writer.map_err(|error| Error::Write { path, source: std::io::Error::other(error) })?;
        let batch_rows = like.most_rows().max(BATCH_ROWS) as usize;
        Ok(BatchOutput { writer, schema, waiting: Vec::new(), waiting_rows: 0, waiting_bytes: 0, batch_rows })
    }

    pub(crate) fn append(&mut self, rows: WrittenBatch) -> Result<(), Error> {
        // The files of one output have the same columns, but perhaps other metadata.
        let rows = RecordBatch::try_new(Arc::clone(&self.schema), rows.0);
        let rows = rows.map_err(|error| self.write_error(&error))?;
        self.waiting_rows += rows.num_rows();
        self.waiting_bytes += rows.get_array_memory_size();
        self.waiting.push(rows);
        let is_full = self.waiting_rows >= self.batch_rows || self.waiting_bytes >= BATCH_BYTES;
        if is_full { self.end_batch() } else { Ok(()) }
    }

    fn end_batch(&mut self) -> Result<(), Error> {
        let batch = concat_batches(&self.schema, &self.waiting);
        self.waiting.clear();
        (self.waiting_rows, self.waiting_bytes) = (0, 0);
        let written = batch.and_then(|batch| match &mut self.writer {
            ArrowWriter::File(writer) => writer.write(&batch),
            ArrowWriter::Stream(writer) => writer.write(&batch),
        });
        written.map_err(|error| self.write_error(&error))
    }

    pub(crate) fn complete(mut self) -> Result<Complete, Error> {
        if self.waiting_rows > 0 {
            self.end_batch()?;
        }
        let path = self.writer.output().path().to_owned();
        let output = match self.writer {
            ArrowWriter::File(writer) => writer.into_inner(),
            ArrowWriter::Stream(writer) => writer.into_inner(),
        };
        output.map_err(|error| Error::Write { path, source: std::io::Error::other(error) })?.complete()
    }

    fn write_error(&self, error: &ArrowError) -> Error {
        let message = error.to_string();
        let source = match error {
            ArrowError::IoError(_, source) => std::io::Error::new(source.kind(), message),
            _ => std::io::Error::other(message),
        };
        Error::Write { path: self.writer.output().path().to_owned(), source }
    }
}

impl ArrowWriter {
    fn new(output: Output, like: &ArrowFile, schema: &Schema) -> Result<ArrowWriter, ArrowError> {
        let options = IpcWriteOptions::default().try_with_compression(like.compression)?;
        Ok(match &like.form {
            ArrowForm::Stream => {
                ArrowWriter::Stream(Box::new(StreamWriter::try_new_with_options(output, schema, options)?))
            }
            ArrowForm::File { metadata } => {
                let mut writer = FileWriter::try_new_with_options(output, schema, options)?;
                for (key, value) in metadata {
                    writer.write_metadata(key, value);
                }
                ArrowWriter::File(Box::new(writer))
            }
        })
    }

    fn output(&self) -> &Output {
        match self {
            ArrowWriter::File(writer) => writer.get_ref(),
            ArrowWriter::Stream(writer) => writer.get_ref(),
        }
    }
}

/// Rows that are written, with the columns of their output.
#[derive(Debug)]
pub(crate) struct WrittenBatch(Vec<ArrayRef>);

impl WrittenBatch {
    pub(crate) fn of(
        from: &RecordBatch,
        rows: KeptRows<'_>,
        file: &InputFile,
        fields: &Fields,
    ) -> Result<WrittenBatch, Error> {
        let numbers: UInt32Array = rows.places().iter().map(|place| place.offset).collect();
        if numbers.values().iter().any(|&row| row as usize >= from.num_rows()) {
            return Err(Error::Changed { path: file.path.clone() });
        }
        let unwritable =
            |error: ArrowError| Error::ArrowTypes { path: file.path.clone(), message: error.to_string() };
        let mut taken = take_record_batch(from, &numbers).map_err(unwritable)?;
        if let KeptRows::Edited(rows) = rows
            && rows.iter().any(|(_, text)| text.is_some())
        {
            let texts: Vec<Option<&str>> = rows.iter().map(|(_, text)| text.as_deref()).collect();
            let edited = fields.text.single().and_then(|name| with_texts(&taken, name, &texts));
            taken = edited.ok_or_else(|| Error::EditedText { path: file.path.clone() })?;
        }
        let taken: Vec<_> = taken.columns().iter().map(compact).collect();
        let KeptRows::Annotated(rows) = rows else {
            return Ok(WrittenBatch(taken));
        };
        let added = annotation_columns(rows.iter().map(|(_, annotation)| annotation));
        Ok(WrittenBatch(taken.into_iter().chain(added).collect()))
    }
}

fn annotation_columns<'a>(rows: impl Iterator<Item = &'a Annotation<'a>> + Clone) -> [ArrayRef; 6] {
    [
        Arc::new(rows.clone().map(|row| row.cluster.map(|cluster| cluster as i64)).collect::<Int64Array>()),
        Arc::new(rows.clone().map(|row| Some(row.kept)).collect::<BooleanArray>()),
        Arc::new(rows.clone().map(|row| row.kept_id).collect::<StringArray>()),
        Arc::new(rows.clone().map(|row| number(row.score)).collect::<Float64Array>()),
        Arc::new(rows.clone().map(|row| number(row.containment)).collect::<Float64Array>()),
        Arc::new(rows.map(|row| Some(row.duplicates as i64)).collect::<Int64Array>()),
    ]
}

/// The same values without bytes that none of them needs. Views share the bytes of their batch, which would be written with each piece of it.
fn compact(column: &ArrayRef) -> ArrayRef {
    let field = |field: &FieldRef, values: &ArrayRef| (Arc::clone(field), compact(values));
    match column.data_type() {
        DataType::Utf8View => Arc::new(column.as_string_view().gc()),
        DataType::BinaryView => Arc::new(column.as_binary_view().gc()),
        DataType::Struct(fields) if !column.is_empty() => {
            let (_, values, nulls) = column.as_struct().clone().into_parts();
            let values = values.iter().map(compact).collect();
            StructArray::try_new(fields.clone(), values, nulls)
                .map_or_else(|_| Arc::clone(column), |array| Arc::new(array))
        }
        DataType::List(inner) => {
            let (_, offsets, values, nulls) = column.as_list::<i32>().clone().into_parts();
            let (inner, values) = field(inner, &values);
            ListArray::try_new(inner, offsets, values, nulls)
                .map_or_else(|_| Arc::clone(column), |array| Arc::new(array))
        }
        DataType::LargeList(inner) => {
            let (_, offsets, values, nulls) = column.as_list::<i64>().clone().into_parts();
            let (inner, values) = field(inner, &values);
            LargeListArray::try_new(inner, offsets, values, nulls)
                .map_or_else(|_| Arc::clone(column), |array| Arc::new(array))
        }
        _ => Arc::clone(column),
    }
}

/// The columns, each with its type. Two files can be joined if these are the same.
pub(crate) fn arrow_columns(like: &ArrowFile) -> Vec<String> {
    like.schema.fields().iter().map(|field| shape(field, false)).collect()
}

/// The name and the type of a column. Metadata count in the columns of structs and lists alone: they are part of the type.
fn shape(field: &FieldRef, with_metadata: bool) -> String {
    let metadata: BTreeMap<_, _> =
        if with_metadata { field.metadata().iter().collect() } else { BTreeMap::new() };
    let inner = |fields: &mut dyn Iterator<Item = &FieldRef>| {
        fields.map(|field| shape(field, true)).collect::<Vec<_>>().join(", ")
    };
    let kind = match field.data_type() {
        DataType::Struct(fields) => format!("struct of {}", inner(&mut fields.iter())),
        DataType::List(of) => format!("list of {}", inner(&mut [of].into_iter())),
        DataType::LargeList(of) => format!("large list of {}", inner(&mut [of].into_iter())),
        DataType::FixedSizeList(of, size) => format!("list of {size} {}", inner(&mut [of].into_iter())),
        DataType::Map(of, sorted) => format!("map {sorted} of {}", inner(&mut [of].into_iter())),
        kind => format!("{kind:?}"),
    };
    format!("{} {kind} {} {metadata:?}", field.name(), field.is_nullable())
}

/// Checks that files with these columns can be joined in the form of the first one.
///
/// # Errors
/// [`Error::ArrowTypes`].
pub(crate) fn check_join(like: &ArrowFile, file: &InputFile) -> Result<(), Error> {
    let is_dictionary = |kind: &DataType| matches!(kind, DataType::Dictionary(..));
    let has_dictionary = like.schema.flattened_fields().iter().any(|field| is_dictionary(field.data_type()));
    match has_dictionary && matches!(like.form, ArrowForm::File { .. }) {
        true => Err(Error::ArrowTypes {
            path: file.path.clone(),
            message: "a file has one dictionary for a column, so files with dictionaries cannot be joined; give a folder as the output".to_owned(),
        }),
        false => Ok(()),
    }
}

/// Checks that texts can be replaced. A dictionary of a file has the values of all its batches, and the new ones are not among them.
///
/// # Errors
/// [`Error::ArrowTypes`].
pub(crate) fn check_edit(like: &ArrowFile, file: &InputFile, fields: &Fields) -> Result<(), Error> {
    let has_dictionary = fields.text.single().is_some_and(|name| is_dictionary(like.schema.fields(), name));
    match has_dictionary && matches!(like.form, ArrowForm::File { .. }) {
        true => Err(Error::ArrowTypes {
            path: file.path.clone(),
            message: "a file has one dictionary for a column, so passages cannot be cut out of its texts; write the column as texts, or the table \
                      as a stream"
                .to_owned(),
        }),
        false => Ok(()),
    }
}

/// Checks that rows of these types can be written again.
///
/// # Errors
/// [`Error::ArrowTypes`].
pub(crate) fn check_types(like: &ArrowFile, file: &InputFile) -> Result<(), Error> {
    let is_list_view = |kind: &DataType| matches!(kind, DataType::ListView(_) | DataType::LargeListView(_));
    if like.schema.flattened_fields().iter().any(|field| is_list_view(field.data_type())) {
        let message = "it has views of lists; write them as lists".to_owned();
        return Err(Error::ArrowTypes { path: file.path.clone(), message });
    }
    let none = RecordBatch::new_empty(Arc::clone(&like.schema));
    let written = take_record_batch(&none, &UInt32Array::from(Vec::<u32>::new()))
        .and_then(|rows| concat_batches(&like.schema, [&rows, &rows]));
    let unwritable =
        |error: ArrowError| Error::ArrowTypes { path: file.path.clone(), message: error.to_string() };
    written.map(drop).map_err(unwritable)
}

/// The schema with the columns of annotations.
///
/// # Errors
/// [`Error::FieldExists`].
pub(crate) fn annotated_columns(
    like: &ArrowFile,
    file: &InputFile,
    score: &'static str,
) -> Result<SchemaRef, Error> {
    let fields = like.schema.fields();
    let exists = |name: &str| fields.iter().any(|field| field.name() == name);
    if let Some(field) = names(score).into_iter().find(|name| exists(name)) {
        return Err(Error::FieldExists { path: file.path.clone(), field });
    }
    let fields: Vec<_> = fields.iter().cloned().chain(added_fields(score)).collect();
    let mut metadata = like.schema.metadata().clone();
    let types = metadata.get(HUGGING_FACE).and_then(|types| serde_json::from_str(types).ok());
    if let Some(mut types) = types {
        let types: &mut serde_json::Value = &mut types;
        add_features(&mut types["info"]["features"], &added_features(score));
        metadata.insert(HUGGING_FACE.to_owned(), types.to_string());
    }
    Ok(Arc::new(Schema::new_with_metadata(fields, metadata)))
}
