//! The schema and the metadata of an output.

use std::sync::Arc;

use arrow_schema::{DataType, Field, FieldRef, Schema};
use parquet::{
    arrow::{ARROW_SCHEMA_META_KEY, add_encoded_arrow_schema_to_metadata},
    basic::{ConvertedType, LogicalType, Repetition, Type as PhysicalType},
    file::{metadata::KeyValue, properties::WriterProperties},
    schema::types::{Type, TypePtr},
};

use super::super::annotation::names;
use crate::{Error, InputFile, read::rows::ParquetFile};

/// The pairs of keys and values that a file has.
pub(super) fn metadata_of(like: &ParquetFile) -> Option<Vec<KeyValue>> {
    like.metadata.metadata().file_metadata().key_value_metadata().cloned()
}

/// The columns, each with the names around it and its type. Two files can be joined if these are the same.
pub(crate) fn typed_columns(like: &ParquetFile) -> Vec<String> {
    let columns = like.metadata.parquet_schema().columns().iter();
    columns
        .map(|column| {
            // Old writers note the first alone, new ones both.
            let meaning = match (column.converted_type(), column.logical_type_ref()) {
                (ConvertedType::NONE, logical)
                | (_, logical @ Some(LogicalType::Timestamp(_) | LogicalType::Time(_))) => {
                    format!("{logical:?}")
                }
                (converted, _) => converted.to_string(),
            };
            let (path, kind) = (column.path().string(), column.physical_type());
            let size = (column.type_length(), column.type_precision(), column.type_scale());
            let levels = (column.max_def_level(), column.max_rep_level());
            format!("{path} {kind} {meaning} {size:?} {levels:?}")
        })
        .collect()
}

/// The columns of annotations, with their types in Parquet and in Arrow.
fn added_columns(score: &'static str) -> [(&'static str, PhysicalType, DataType); 6] {
    let types = [
        (PhysicalType::INT64, DataType::Int64),
        (PhysicalType::BOOLEAN, DataType::Boolean),
        (PhysicalType::BYTE_ARRAY, DataType::Utf8),
        (PhysicalType::DOUBLE, DataType::Float64),
        (PhysicalType::DOUBLE, DataType::Float64),
        (PhysicalType::INT64, DataType::Int64),
    ];
    let mut names = names(score).into_iter();
    types.map(|(physical, arrow)| (names.next().unwrap_or_default(), physical, arrow))
}

/// The columns of annotations in Arrow.
pub(super) fn added_fields(score: &'static str) -> impl Iterator<Item = FieldRef> {
    let columns = added_columns(score).into_iter();
    columns.map(|(name, _, kind)| Arc::new(Field::new(name, kind, may_lack(name))))
}

/// Whether a column of annotations may have nulls.
fn may_lack(name: &str) -> bool {
    !matches!(name, "kept" | "duplicate_count")
}

/// The schema with the columns of annotations.
///
/// # Errors
/// [`Error::FieldExists`].
pub(crate) fn annotated_schema(
    like: &ParquetFile,
    file: &InputFile,
    score: &'static str,
) -> Result<TypePtr, Error> {
    let root = like.schema();
    let exists = |name: &str| root.get_fields().iter().any(|field| field.name() == name);
    if let Some(field) = names(score).into_iter().find(|name| exists(name)) {
        return Err(Error::FieldExists { path: file.path.clone(), field });
    }
    let added = added_columns(score).into_iter().map(|(name, physical, _)| {
        let repetition = if may_lack(name) { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        let logical = (physical == PhysicalType::BYTE_ARRAY).then_some(LogicalType::String);
        let column = Type::primitive_type_builder(name, physical);
        column.with_repetition(repetition).with_logical_type(logical).build().map(Arc::new)
    });
    let fields = root.get_fields().iter().cloned().map(Ok).chain(added).collect::<Result<Vec<_>, _>>();
    let schema = fields.and_then(|fields| Type::group_type_builder(root.name()).with_fields(fields).build());
    schema
        .map(Arc::new)
        .map_err(|error| Error::Parquet { path: file.path.clone(), message: error.to_string() })
}

/// Where Spark notes its schema. It takes its columns from there, so it would not see the added ones.
const SPARK_SCHEMA_KEY: &str = "org.apache.spark.sql.parquet.row.metadata";

/// The pairs of a file with more columns. If its writer noted the schema of Arrow, that has these columns too.
pub(super) fn annotated_metadata(like: &ParquetFile, score: &'static str) -> Option<Vec<KeyValue>> {
    let mut pairs = metadata_of(like)?;
    pairs.retain(|pair| pair.key != SPARK_SCHEMA_KEY);
    let (before, schema) = (pairs.len(), like.metadata.schema());
    pairs.retain(|pair| pair.key != ARROW_SCHEMA_META_KEY);
    if pairs.len() == before || !like.knows_arrow_schema {
        return Some(pairs);
    }
    let fields: Vec<_> = schema.fields().iter().cloned().chain(added_fields(score)).collect();
    let schema = Schema::new_with_metadata(fields, schema.metadata().clone());
    let mut properties = WriterProperties::builder().set_key_value_metadata(Some(pairs)).build();
    add_encoded_arrow_schema_to_metadata(&schema, &mut properties);
    properties.key_value_metadata().cloned()
}
