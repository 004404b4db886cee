//! The columns that the text of a row is read from.

use arrow_array::{
    Array, ArrayRef, LargeBinaryArray, LargeListArray, RecordBatch, builder::LargeStringBuilder,
    cast::AsArray,
};
use arrow_cast::cast;
use arrow_schema::{DataType, FieldRef, Fields as Columns};
use std::sync::Arc;

use super::{
    path::{self, Path},
    texts::TextColumn,
};
use crate::{
    Fields, Problem, TextFields,
    read::scan::Scan,
    text_fields::{JoinedText, JoinedValues, NameStep},
};

/// The texts of a batch.
#[derive(Debug)]
pub(super) enum RowTexts {
    /// Each is the value of a column.
    Single(TextValues),
    /// Each has several values.
    Joined { columns: Vec<JoinedColumn>, text: String },
}

impl RowTexts {
    /// `None` if a column is missing or not readable as text. Opening the file has ruled that out.
    pub(super) fn of(batch: &RecordBatch, fields: &TextFields) -> Option<RowTexts> {
        if let Some(name) = fields.single() {
            return Some(RowTexts::Single(TextValues::of(&path::column(batch, name)?)?));
        }
        let schema = batch.schema();
        let columns = fields.names().iter().filter_map(|name| {
            let (field, rest) = first_of(schema.fields(), name);
            Some(JoinedColumn::of(&path::column(batch, field)?, rest))
        });
        Some(RowTexts::Joined { columns: columns.collect::<Option<_>>()?, text: String::new() })
    }

    /// The text of a row; `None` if it is null.
    ///
    /// # Errors
    /// [`Problem::InvalidUtf8`] for bytes that are no text.
    pub(super) fn get(&mut self, row: usize, fields: &TextFields) -> Result<Option<&str>, Problem> {
        let (columns, text) = match self {
            RowTexts::Single(values) => return values.get(row),
            RowTexts::Joined { columns, text } => (columns, text),
        };
        let mut joined = fields.start(text);
        for column in columns {
            column.push(row, &mut joined)?;
        }
        Ok((joined.found() == JoinedValues::Found).then_some(text))
    }
}

/// The texts of all rows, which may have several values each.
///
/// # Errors
/// [`Problem::MissingColumn`], [`Problem::StructColumn`] or [`Problem::ColumnType`] for a column that is not there or holds no texts,
/// [`Problem::InvalidUtf8`] for bytes that are no text.
pub fn joined_texts(batch: &RecordBatch, fields: &TextFields) -> Result<ArrayRef, Problem> {
    for name in fields.names() {
        check_texts(batch.schema().fields(), &Fields::of_text(name), Scan::Documents)?;
    }
    let mut texts = LargeStringBuilder::new();
    if let Some(mut rows) = RowTexts::of(batch, fields) {
        for row in 0..batch.num_rows() {
            texts.append_option(rows.get(row, fields)?);
        }
    }
    Ok(Arc::new(texts.finish()))
}

/// A column of texts.
#[derive(Debug)]
pub(super) struct TextValues {
    texts: TextColumn,
    /// The bytes of the texts, if the column does not say that they are texts.
    bytes: Option<LargeBinaryArray>,
}

impl TextValues {
    fn of(column: &ArrayRef) -> Option<TextValues> {
        Some(TextValues { texts: TextColumn::of(column)?, bytes: bytes_of(column) })
    }

    fn get(&self, row: usize) -> Result<Option<&str>, Problem> {
        let found = self.texts.get(row);
        if let (None, Some(bytes)) = (found, &self.bytes)
            && bytes.is_valid(row)
            && let Err(error) = simdutf8::compat::from_utf8(bytes.value(row))
        {
            return Err(Problem::InvalidUtf8 { byte: error.valid_up_to() });
        }
        Ok(found)
    }
}

/// A column that gives several values of a text: a text a row, or a list of them.
#[derive(Debug)]
pub(super) enum JoinedColumn {
    Texts(TextValues),
    Lists { lists: LargeListArray, elements: Box<JoinedColumn> },
}

impl JoinedColumn {
    /// The values that the `rest` of a name leads to.
    fn of(column: &ArrayRef, rest: &str) -> Option<JoinedColumn> {
        Some(match NameStep::of(rest) {
            NameStep::Text => JoinedColumn::Texts(TextValues::of(column)?),
            // A column of nulls alone has no type.
            _ if *column.data_type() == DataType::Null => JoinedColumn::Texts(TextValues::of(column)?),
            NameStep::Elements { rest } => {
                // This copies the offsets alone.
                let lists = DataType::LargeList(Arc::clone(element_of(column.data_type())?));
                let lists = cast(column, &lists).ok()?;
                let lists = lists.as_list::<i64>().clone();
                let elements = Box::new(JoinedColumn::of(lists.values(), rest)?);
                JoinedColumn::Lists { lists, elements }
            }
            NameStep::Field { .. } => {
                let structs = column.as_struct_opt()?;
                let (field, rest) = first_of(structs.fields(), rest);
                JoinedColumn::of(&path::column_of(column, field)?, rest)?
            }
        })
    }

    /// Appends the values of a row.
    fn push(&self, row: usize, joined: &mut JoinedText<'_>) -> Result<(), Problem> {
        match self {
            JoinedColumn::Texts(values) => match values.get(row)? {
                Some(text) => joined.push(text),
                None => joined.push_null(),
            },
            JoinedColumn::Lists { lists, .. } if lists.is_null(row) => joined.push_null(),
            JoinedColumn::Lists { lists, elements } => {
                let offsets = lists.value_offsets();
                let places = offsets[row] as usize..offsets[row + 1] as usize;
                if places.is_empty() {
                    joined.push("");
                }
                for place in places {
                    elements.push(place, joined)?;
                }
            }
        }
        Ok(())
    }
}

/// The name of the column that a name starts with, and the rest of the name. A column may have the whole name.
pub(super) fn first_of<'n>(columns: &Columns, name: &'n str) -> (&'n str, &'n str) {
    match NameStep::of(name) {
        NameStep::Field { field, rest } if columns.find(name).is_none() => (field, rest),
        _ => (name, ""),
    }
}

/// The columns of the texts, if they are of types that can be read. One of several may be missing.
///
/// # Errors
/// [`Problem::MissingColumn`], [`Problem::StructColumn`] or [`Problem::ColumnType`].
pub(super) fn check_texts<'f>(
    columns: &'f Columns,
    fields: &Fields,
    scan: Scan,
) -> Result<Vec<Path<'f>>, Problem> {
    let find = |name: &String| {
        let (field, rest) = first_of(columns, name);
        let missing = |seen| Problem::MissingColumn { field: name.clone(), seen };
        let found = path::find(columns, field).map_err(missing)?;
        check_type(found.data_type, name, rest, scan)?;
        Ok(found)
    };
    let found: Result<Vec<_>, _> = fields
        .text
        .names()
        .iter()
        .map(find)
        .filter(|found| {
            let is_missing = matches!(found, Err(Problem::MissingColumn { .. }));
            !is_missing || fields.text.names().len() == 1
        })
        .collect();
    match found {
        Ok(found) if found.is_empty() => {
            let seen = path::leaves(columns, "", |_| true);
            Err(Problem::MissingColumn { field: fields.text.to_string(), seen })
        }
        found => found,
    }
}

/// Checks that the `rest` of a name leads from this type to texts.
fn check_type(data_type: &DataType, name: &str, rest: &str, scan: Scan) -> Result<(), Problem> {
    let (field, found) = (name.to_owned(), data_type.to_string());
    match (NameStep::of(rest), data_type) {
        (_, DataType::Null) => Ok(()),
        (NameStep::Text, DataType::Struct(inner)) => {
            let texts = path::leaves(inner, &format!("{field}."), is_text);
            Err(Problem::StructColumn { field, texts })
        }
        (NameStep::Text, kind) if is_text(kind) || (scan == Scan::Lists && kind.is_numeric()) => Ok(()),
        (NameStep::Elements { rest }, _) if let Some(element) = element_of(data_type) => {
            check_type(element.data_type(), name, rest, scan)
        }
        (NameStep::Field { .. }, DataType::Struct(inner)) => {
            let (first, behind) = first_of(inner, rest);
            let missing = |seen: Vec<String>| {
                let before = &name[..name.len() - rest.len()];
                let seen = seen.into_iter().map(|seen| format!("{before}{seen}")).collect();
                Problem::MissingColumn { field: name.to_owned(), seen }
            };
            let found = path::find(inner, first).map_err(missing)?;
            check_type(found.data_type, name, behind, scan)
        }
        _ => Err(Problem::ColumnType { field, found }),
    }
}

/// The elements of a type of lists.
fn element_of(data_type: &DataType) -> Option<&FieldRef> {
    match data_type {
        DataType::List(element)
        | DataType::LargeList(element)
        | DataType::FixedSizeList(element, _)
        | DataType::ListView(element)
        | DataType::LargeListView(element) => Some(element),
        _ => None,
    }
}

fn is_text(data_type: &DataType) -> bool {
    match data_type {
        // Programs give a column of nulls alone no type.
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => true,
        // Old programs, such as Impala, do not say that these bytes are text.
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

/// The bytes of a column that holds bytes.
fn bytes_of(column: &ArrayRef) -> Option<LargeBinaryArray> {
    let is_bytes = match column.data_type() {
        DataType::Dictionary(_, values) => values.is_binary(),
        kind => kind.is_binary(),
    };
    let bytes = is_bytes.then(|| cast(column, &DataType::LargeBinary).ok()).flatten();
    bytes.map(|bytes| bytes.as_binary().clone())
}
