//! Finding columns by name, including columns of structs.

use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch, cast::AsArray};
use arrow_schema::{DataType, FieldRef, Fields};
use arrow_select::nullif::nullif;

use crate::record::split_path;

/// The location of a column.
#[derive(Debug)]
pub(super) struct Path<'f> {
    /// The names of the structs around the column, from the outermost one, and the name of the column.
    pub(super) names: Vec<&'f str>,
    pub(super) data_type: &'f DataType,
}

/// Finds the column that a name leads to among `columns`.
///
/// # Errors
/// The names of the columns at the place where the path ends.
pub(super) fn find<'f>(columns: &'f Fields, name: &str) -> Result<Path<'f>, Vec<String>> {
    let (mut columns, mut rest, mut names) = (columns, name, Vec::new());
    loop {
        let called = |name: &str| columns.iter().find(|column| column.name() == name);
        if let Some(column) = called(rest) {
            names.push(column.name().as_str());
            return Ok(Path { names, data_type: column.data_type() });
        }
        let inner = split_path(rest).and_then(|(first, more)| {
            let column = called(first)?;
            let DataType::Struct(inner) = column.data_type() else { return None };
            Some((column, inner, more))
        });
        let Some((column, inner, more)) = inner else {
            let before = &name[..name.len() - rest.len()];
            let seen = |column: &FieldRef| format!("{before}{}", column.name());
            return Err(columns.iter().map(seen).collect());
        };
        names.push(column.name());
        (columns, rest) = (inner, more);
    }
}

/// The values of the column that a name leads to. They are null where a struct around them is null.
pub(super) fn column(batch: &RecordBatch, name: &str) -> Option<ArrayRef> {
    let schema = batch.schema();
    let path = find(schema.fields(), name).ok()?;
    let (first, inner) = path.names.split_first()?;
    let mut column = batch.column_by_name(first)?.clone();
    for name in inner {
        let outer = column.as_struct_opt()?;
        let values = outer.column_by_name(name)?;
        column = match outer.nulls() {
            None => values.clone(),
            Some(nulls) => nullif(values, &BooleanArray::from(!nulls.inner())).ok()?,
        };
    }
    Some(column)
}
