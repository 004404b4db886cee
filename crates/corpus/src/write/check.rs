//! What can be refused before any work: annotations that have no room, tables that do not fit together.

use super::{kept::Mode, layout::Layout, lines::annotated_header, rows::annotated_schema};
use crate::{
    Error, Fields, Format, Inputs, Scan,
    read::{rows::ParquetFile, table::TableStream},
};

/// Whether the columns of all inputs fit into the outputs.
///
/// # Errors
/// [`Error::AnnotatedText`], [`Error::FieldExists`], [`Error::ColumnsDiffer`], and those of reading a header.
pub(super) fn columns(inputs: &Inputs, fields: &Fields, layout: &Layout, mode: Mode) -> Result<(), Error> {
    let joined = !matches!(layout, Layout::Folder(_)) && inputs.written().count() > 1;
    if !joined && mode == Mode::Copy {
        return Ok(());
    }
    let mut first: Option<(&str, Vec<String>)> = None;
    for (_, file) in inputs.written() {
        let columns = match file.format {
            Format::Warc | Format::Html | Format::Text if mode != Mode::Copy => {
                return Err(Error::AnnotatedText { path: file.path.clone() });
            }
            Format::Warc | Format::Html | Format::Text | Format::Jsonl => continue,
            Format::Csv | Format::Tsv => {
                let Some(columns) = TableStream::columns_of(file, fields)? else { continue };
                if let Mode::Annotate { likeness } = mode {
                    annotated_header(&columns, file, likeness)?;
                }
                columns.names.clone()
            }
            Format::Parquet => {
                let table = ParquetFile::open(file, fields, Scan::Records)?;
                let schema = table.metadata.schema();
                if let Mode::Annotate { likeness } = mode {
                    annotated_schema(schema, file, likeness)?;
                }
                schema
                    .fields()
                    .iter()
                    .map(|field| format!("{} {}", field.name(), field.data_type()))
                    .collect()
            }
        };
        match &first {
            None => first = Some((&file.name, columns)),
            Some((name, known)) if joined && *known != columns => {
                return Err(Error::ColumnsDiffer { first: (*name).to_owned(), second: file.name.clone() });
            }
            Some(_) => {}
        }
    }
    Ok(())
}
