//! Finding columns by name, including columns of structs.

use std::collections::HashSet;

use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch, cast::AsArray};
use arrow_schema::{DataType, FieldRef, Fields};
use arrow_select::nullif::nullif;

use super::as_text::{is_uuid, texts_of_uuids};
use crate::record::split_path;

/// The location of a column.
#[derive(Debug)]
pub(super) struct Path<'f> {
    /// The names of the structs around the column, from the outermost one, and the name of the column.
    pub(super) names: Vec<&'f str>,
    pub(super) data_type: &'f DataType,
    is_uuid: bool,
}

/// Finds the column that a name leads to among `columns`.
///
/// # Errors
/// The names of the columns at the place where the path ends, with those in structs instead of the structs.
pub(super) fn find<'f>(columns: &'f Fields, name: &str) -> Result<Path<'f>, Vec<String>> {
    let (mut columns, mut rest, mut names) = (columns, name, Vec::new());
    loop {
        let called = |name: &str| columns.iter().find(|column| column.name() == name);
        if let Some(column) = called(rest) {
            names.push(column.name().as_str());
            return Ok(Path { names, data_type: column.data_type(), is_uuid: is_uuid(column) });
        }
        let inner = split_path(rest).and_then(|(first, more)| {
            let column = called(first)?;
            let DataType::Struct(inner) = column.data_type() else { return None };
            Some((column, inner, more))
        });
        let Some((column, inner, more)) = inner else {
            let before = &name[..name.len() - rest.len()];
            let mut names = leaves(columns, before, |_| true);
            // A column may have the name of a path.
            let mut seen = HashSet::new();
            names.retain(|name| seen.insert(name.clone()));
            return Err(names);
        };
        names.push(column.name());
        (columns, rest) = (inner, more);
    }
}

/// The names of the columns of wanted types, with those in structs instead of the structs. `before` stands before each name.
pub(super) fn leaves(
    columns: &Fields,
    before: &str,
    is_wanted: impl Fn(&DataType) -> bool + Copy,
) -> Vec<String> {
    let names = columns.iter().flat_map(|column: &FieldRef| {
        let name = format!("{before}{}", column.name());
        match column.data_type() {
            DataType::Struct(inner) => leaves(inner, &format!("{name}."), is_wanted),
            data_type => is_wanted(data_type).then_some(name).into_iter().collect(),
        }
    });
    names.collect()
}

/// The values of the column that a name leads to. They are null where a struct around them is null. UUIDs are
/// their canonical texts.
pub(super) fn column(batch: &RecordBatch, name: &str) -> Option<ArrayRef> {
    let schema = batch.schema();
    let path = find(schema.fields(), name).ok()?;
    let (first, inner) = path.names.split_first()?;
    let mut column = batch.column_by_name(first)?.clone();
    for name in inner {
        column = in_struct(&column, name)?;
    }
    Some(if path.is_uuid { texts_of_uuids(&column) } else { column })
}

/// The same in a column of structs.
pub(super) fn column_of(structs: &ArrayRef, name: &str) -> Option<ArrayRef> {
    let path = find(structs.as_struct_opt()?.fields(), name).ok()?;
    path.names.iter().try_fold(structs.clone(), |column, name| in_struct(&column, name))
}

/// A column of a struct. It is null where the struct is null.
fn in_struct(structs: &ArrayRef, name: &str) -> Option<ArrayRef> {
    let outer = structs.as_struct_opt()?;
    let values = outer.column_by_name(name)?;
    match outer.nulls() {
        None => Some(values.clone()),
        Some(nulls) => nullif(values, &BooleanArray::from(!nulls.inner())).ok(),
    }
}
