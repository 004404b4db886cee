//! Checks of outputs before any work: annotations without a place, and tables that cannot be joined.

use super::layout::OutputLayout;
use super::records::{
    lines::annotated_header,
    mode::RecordMode,
    rows::{
        annotated_columns, annotated_schema, arrow_columns, check_edit, check_join, check_types,
        typed_columns,
    },
};
use crate::{
    Error, Fields, Format, Inputs, Scan,
    read::{
        rows::{ArrowFile, ParquetFile},
        table::TableStream,
        unopened::Unopened,
    },
};

/// Checks that the columns of all inputs fit into the outputs.
///
/// # Errors
/// [`Error::EditedText`], [`Error::EditedFields`], [`Error::AnnotatedText`], [`Error::FieldExists`], [`Error::ColumnsDiffer`], [`Error::LineEndsDiffer`], and the errors of
/// reading a header.
pub(super) fn columns(
    inputs: &Inputs,
    fields: &Fields,
    layout: &OutputLayout,
    mode: RecordMode,
) -> Result<(), Error> {
    if mode == RecordMode::Edit {
        let is_refused = |format| matches!(format, Format::Warc | Format::Arc | Format::Tar | Format::Html);
        if let Some((_, file)) = inputs.written().find(|(_, file)| is_refused(file.format)) {
            return Err(Error::EditedText { path: file.path.clone() });
        }
        if fields.text.single().is_none() {
            return Err(Error::EditedFields { fields: fields.text.to_string() });
        }
    }
    let joined = layout.is_joined() && inputs.written().count() > 1;
    let has_types = inputs.written().any(|(_, file)| file.format == Format::Arrow);
    if !joined && !matches!(mode, RecordMode::Annotate { .. }) && !has_types {
        return Ok(());
    }
    let mut first: Option<(&str, Vec<String>, u8)> = None;
    for (_, file) in inputs.written() {
        let (columns, line_end) = match file.format {
            Format::Warc | Format::Arc | Format::Tar | Format::Html | Format::Text
                if matches!(mode, RecordMode::Annotate { .. }) =>
            {
                return Err(Error::AnnotatedText { path: file.path.clone() });
            }
            Format::Warc
            | Format::Arc
            | Format::Tar
            | Format::Html
            | Format::Text
            | Format::Jsonl
            | Format::Json
            | Format::Memory => continue,
            Format::Csv | Format::Tsv => {
                let Some(columns) = TableStream::columns_of(file, fields)? else { continue };
                if let RecordMode::Annotate { score } = mode {
                    annotated_header(&columns, file, score)?;
                }
                (columns.names.clone(), columns.dialect.line_end)
            }
            Format::Arrow => {
                let table = match ArrowFile::open(file, fields, Scan::Records, false) {
                    Ok(table) => table,
                    Err(Unopened::Unusable(_)) => continue,
                    Err(Unopened::Failed(error)) => return Err(error),
                };
                check_types(&table, file)?;
                // The output has the form of the first file.
                if joined && first.is_none() {
                    check_join(&table, file)?;
                }
                match mode {
                    RecordMode::Copy => {}
                    RecordMode::Edit => check_edit(&table, file, fields)?,
                    RecordMode::Annotate { score } => _ = annotated_columns(&table, file, score)?,
                }
                (arrow_columns(&table), b'\n')
            }
            Format::Parquet => {
                let table = match ParquetFile::open(file, fields, Scan::Records, false) {
                    Ok(table) => table,
                    // The file is skipped when its records are read.
                    Err(Unopened::Unusable(_)) => continue,
                    Err(Unopened::Failed(error)) => return Err(error),
                };
                if let RecordMode::Annotate { score } = mode {
                    annotated_schema(&table, file, score)?;
                }
                (typed_columns(&table), b'\n')
            }
        };
        match &first {
            None => first = Some((&file.name, columns, line_end)),
            Some((name, known, _)) if joined && *known != columns => {
                return Err(Error::ColumnsDiffer { first: (*name).to_owned(), second: file.name.clone() });
            }
            Some((name, _, known)) if joined && *known != line_end => {
                return Err(Error::LineEndsDiffer { first: (*name).to_owned(), second: file.name.clone() });
            }
            Some(_) => {}
        }
    }
    Ok(())
}
