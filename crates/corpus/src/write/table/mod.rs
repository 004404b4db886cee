//! Tables of results: pairs, clusters, removed documents, and sketches.
//!
//! The extension decides on the format and compression. Formats are JSONL (an object for each row, with keys in the order of
//! the columns), CSV and TSV (with a header, and empty fields for absent values), Parquet, and with the feature `xlsx` Excel
//! workbooks. Standard output is JSONL.
//! Numbers have six decimals in text, and are stored exactly in Parquet.

#[cfg(feature = "parquet")]
mod batch;
#[cfg(not(feature = "parquet"))]
#[path = "batch_absent.rs"]
mod batch;
mod text;
#[cfg(feature = "xlsx")]
mod workbook;
#[cfg(not(feature = "xlsx"))]
#[path = "workbook_absent.rs"]
mod workbook;

use std::{io::Write, path::Path};

use self::{
    batch::BatchTable,
    text::{RowLayout, TextTable},
    workbook::{Workbook, is_workbook},
};
use super::{folders::NewFolders, output::Output, publish::Completed};
use crate::{
    Compression, Error, Format, IntegerType, Waiting,
    formats::{of_name, table_extensions},
};

/// The kind of values in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Texts.
    Text,
    /// Ids of documents, as texts. In Parquet they may be [numbers](TableWriter::write_ids_as).
    Id,
    /// Whole numbers from 0.
    Integer,
    /// Numbers, which text formats show with six decimals.
    Number6,
    /// True or false.
    Bool,
    /// Lists of whole numbers of 32 bits. In CSV and TSV, spaces stand between them.
    Numbers,
    /// This many bytes. In text they are hexadecimal digits.
    Bytes(usize),
}

/// One value of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell<'a> {
    /// For [`ColumnKind::Text`] and [`ColumnKind::Id`].
    Text(&'a str),
    /// For [`ColumnKind::Integer`].
    Integer(u64),
    /// For [`ColumnKind::Number6`].
    Number(f64),
    /// For [`ColumnKind::Bool`].
    Bool(bool),
    /// For [`ColumnKind::Numbers`].
    Numbers(&'a [u32]),
    /// For [`ColumnKind::Bytes`].
    Bytes(&'a [u8]),
    /// No value. It may stand in any column.
    Absent,
}

/// A writer of a table, row by row. The table is complete, or it does not appear.
#[derive(Debug)]
pub struct TableWriter {
    rows: TableRows,
    columns: usize,
}

#[derive(Debug)]
enum TableRows {
    Text(Box<TextTable>),
    Batch(Box<BatchTable>),
    Workbook(Box<Workbook>),
}

impl TableWriter {
    /// Starts a table at `path`, or on standard output if `path` is `-`.
    ///
    /// # Errors
    /// [`Error::UnknownTable`] if no table has this extension, [`Error::Write`], or [`Error::NoFolder`].
    pub fn create(
        path: &Path,
        columns: &[(&str, ColumnKind)],
        waiting: &Waiting,
    ) -> Result<TableWriter, Error> {
        let names = || columns.iter().map(|(name, _)| *name);
        let text = |output, layout| Ok(TableRows::Text(Box::new(TextTable::new(output, layout)?)));
        let rows = if path == Path::new("-") {
            text(Output::standard()?, RowLayout::json(names()))?
        } else if is_workbook(path) {
            let output = Output::create(path, Compression::None, waiting)?;
            TableRows::Workbook(Box::new(Workbook::new(output, columns)?))
        } else {
            let (format, compression) = table_format(path)?;
            let output = Output::create(path, compression, waiting)?;
            match format {
                Format::Csv => text(output, RowLayout::delimited(names(), b','))?,
                Format::Tsv => text(output, RowLayout::delimited(names(), b'\t'))?,
                Format::Parquet => TableRows::Batch(Box::new(BatchTable::new(output, columns)?)),
                Format::Jsonl
                | Format::Json
                | Format::Warc
                | Format::Arc
                | Format::Html
                | Format::Text
                | Format::Arrow
                | Format::Tar
                | Format::Memory => text(output, RowLayout::json(names()))?,
            }
        };
        Ok(TableWriter { rows, columns: columns.len() })
    }

    /// From now on, a text in CSV or TSV that a spreadsheet would take for a formula has an apostrophe before it. This is for texts of strangers.
    #[must_use]
    pub fn without_formulas(mut self) -> Self {
        if let TableRows::Text(table) = &mut self.rows {
            table.guard_formulas();
        }
        self
    }

    /// From now on, ids in Parquet are whole numbers of this type. There must be no row yet, and every id must be such a number: a text of
    /// another one panics.
    pub fn write_ids_as(&mut self, ids: &IntegerType) {
        if let TableRows::Batch(table) = &mut self.rows {
            table.write_ids_as(ids);
        }
    }

    /// Whether its ids may be numbers: whether it is Parquet.
    pub fn has_types(&self) -> bool {
        matches!(self.rows, TableRows::Batch(_))
    }

    /// Writes a row, with a cell for each column.
    ///
    /// # Errors
    /// [`Error::Write`].
    ///
    /// # Panics
    /// If the row has another number of cells than the table has columns, or if a cell in Parquet is not of its column's kind.
    pub fn row(&mut self, cells: &[Cell<'_>]) -> Result<(), Error> {
        assert_eq!(cells.len(), self.columns, "a row has a cell for each column");
        match &mut self.rows {
            TableRows::Text(table) => table.row(cells),
            TableRows::Batch(table) => table.row(cells),
            TableRows::Workbook(table) => table.row(cells),
        }
    }

    /// Writes all buffered rows. [`Completed::publish`] then gives the table its name.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn complete(self) -> Result<Completed, Error> {
        let complete = match self.rows {
            TableRows::Text(table) => table.complete()?,
            TableRows::Batch(table) => table.complete()?,
            TableRows::Workbook(table) => table.complete()?,
        };
        Ok(Completed::new(vec![complete], NewFolders::default()))
    }
}

/// Appends a value that is written in the same way in JSON and in tables. Writing to memory cannot fail.
pub(super) fn push_plain(out: &mut Vec<u8>, cell: Cell<'_>) {
    let _ = match cell {
        Cell::Integer(integer) => write!(out, "{integer}"),
        Cell::Number(number) => write!(out, "{number:.6}"),
        Cell::Bool(value) => write!(out, "{value}"),
        Cell::Bytes(bytes) => bytes.iter().try_for_each(|byte| write!(out, "{byte:02x}")),
        Cell::Text(_) | Cell::Numbers(_) | Cell::Absent => Ok(()),
    };
}

/// The format and compression of a table, or the reason why there can be no such table.
fn table_format(path: &Path) -> Result<(Format, Compression), Error> {
    match of_name(path) {
        (
            None
            | Some(Format::Warc | Format::Arc | Format::Html | Format::Text | Format::Arrow | Format::Tar),
            _,
        ) => {
            let workbooks = if cfg!(feature = "xlsx") { " .xlsx" } else { "" };
            Err(Error::UnknownTable { path: path.to_owned(), known: table_extensions() + workbooks })
        }
        (Some(Format::Parquet), Compression::None) => Ok((Format::Parquet, Compression::None)),
        (Some(Format::Parquet), _) => {
            Err(Error::CompressedInside { path: path.to_owned(), format: Format::Parquet.name() })
        }
        (Some(format), compression) => Ok((format, compression)),
    }
}

#[cfg(all(test, feature = "parquet"))]
mod tests;
