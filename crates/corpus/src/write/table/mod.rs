//! Tables that Lookalike makes itself: pairs, clusters, removals, summaries of documents.
//!
//! The format is that of the extension, with or without compression: JSONL (an object a row, keys in the order of the
//! columns), CSV and TSV (with a header; what is absent is empty), or Parquet. Standard output is JSONL. Numbers have
//! six decimals in text and are stored as they are in Parquet.

mod batch;
mod text;

use std::path::Path;

use self::{
    batch::BatchTable,
    text::{Layout, TextTable},
};
use super::output::Output;
use crate::{
    Compression, Error, Format,
    formats::{of_name, table_extensions},
};

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Texts.
    Text,
    /// Whole numbers from 0.
    Integer,
    /// Numbers that are shown with six decimals.
    Number6,
    /// True or false.
    Bool,
}

/// One value of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell<'a> {
    /// For [`ColumnKind::Text`].
    Text(&'a str),
    /// For [`ColumnKind::Integer`].
    Integer(u64),
    /// For [`ColumnKind::Number6`].
    Number(f64),
    /// For [`ColumnKind::Bool`].
    Bool(bool),
    /// Nothing, in any column.
    Absent,
}

/// Writes a table row by row; complete or not at all.
#[derive(Debug)]
pub struct TableWriter {
    rows: Rows,
    columns: usize,
}

#[derive(Debug)]
enum Rows {
    Text(TextTable),
    Batch(Box<BatchTable>),
}

impl TableWriter {
    /// Starts a table at `path`, or on standard output if that is `-`.
    ///
    /// # Errors
    /// [`Error::UnknownTable`] if the extension is not that of a table; [`Error::Write`], [`Error::NoFolder`].
    pub fn create(path: &Path, columns: &[(&str, ColumnKind)]) -> Result<TableWriter, Error> {
        let names = || columns.iter().map(|(name, _)| *name);
        let rows = if path == Path::new("-") {
            Rows::Text(TextTable::new(Output::standard()?, Layout::json(names()))?)
        } else {
            let unknown = || Error::UnknownTable { path: path.to_owned(), known: table_extensions() };
            let (format, compression) = of_name(path);
            match format.ok_or_else(unknown)? {
                Format::Text => return Err(unknown()),
                Format::Jsonl => {
                    Rows::Text(TextTable::new(Output::create(path, compression)?, Layout::json(names()))?)
                }
                Format::Csv => Rows::Text(TextTable::new(
                    Output::create(path, compression)?,
                    Layout::delimited(names(), b','),
                )?),
                Format::Tsv => Rows::Text(TextTable::new(
                    Output::create(path, compression)?,
                    Layout::delimited(names(), b'\t'),
                )?),
                Format::Parquet if compression != Compression::None => {
                    return Err(Error::CompressedParquet { path: path.to_owned() });
                }
                Format::Parquet => {
                    Rows::Batch(Box::new(BatchTable::new(Output::create(path, compression)?, columns)?))
                }
            }
        };
        Ok(TableWriter { rows, columns: columns.len() })
    }

    /// Writes a row, a cell for each column.
    ///
    /// # Errors
    /// [`Error::Write`].
    ///
    /// # Panics
    /// If the row has not as many cells as the table has columns, or, in Parquet, a cell is not of its column's kind.
    pub fn row(&mut self, cells: &[Cell<'_>]) -> Result<(), Error> {
        assert_eq!(cells.len(), self.columns, "a row has a cell for each column");
        match &mut self.rows {
            Rows::Text(table) => table.row(cells),
            Rows::Batch(table) => table.row(cells),
        }
    }

    /// Completes the table and gives it its name. Returns its length in bytes.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn finish(self) -> Result<u64, Error> {
        match self.rows {
            Rows::Text(table) => table.complete()?.publish(),
            Rows::Batch(table) => table.complete()?.publish(),
        }
    }
}

#[cfg(test)]
mod tests;
