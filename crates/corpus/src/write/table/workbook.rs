//! Tables as Excel workbooks, with one sheet.

use std::{fmt, io, path::Path};

use rust_xlsxwriter::{Format, Workbook as Writer, Worksheet, XlsxError};

use super::{Cell, ColumnKind, push_plain};
use crate::{
    Error,
    write::{output::Output, publish::Complete},
};

/// The most characters of a cell in Excel.
const MOST_CHARACTERS: usize = 32_767;

/// A table as an Excel workbook. Its rows are in a temporary file until it is complete.
pub(super) struct Workbook {
    output: Output,
    writer: Writer,
    /// The next row. The first one has the names of the columns.
    row: u32,
}

/// Whether this is the name of a workbook.
pub(super) fn is_workbook(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("xlsx"))
}

impl Workbook {
    pub(super) fn new(output: Output, columns: &[(&str, ColumnKind)]) -> Result<Workbook, Error> {
        let mut writer = Writer::new();
        let written = begin(&mut writer, columns);
        let table = Workbook { output, writer, row: 1 };
        written.map_err(|error| table.write_error(error))?;
        Ok(table)
    }

    pub(super) fn row(&mut self, cells: &[Cell<'_>]) -> Result<(), Error> {
        let row = self.row;
        let sheet = self.writer.worksheet_from_index(0);
        let written = sheet.and_then(|sheet| {
            (0..).zip(cells).try_for_each(|(column, &cell)| write(sheet, row, column, cell))
        });
        written.map_err(|error| self.write_error(error))?;
        self.row += 1;
        Ok(())
    }

    pub(super) fn complete(mut self) -> Result<Complete, Error> {
        let bytes = self.writer.save_to_buffer().map_err(|error| self.write_error(error))?;
        self.output.append(&bytes)?;
        self.output.complete()
    }

    fn write_error(&self, error: XlsxError) -> Error {
        let source = match error {
            XlsxError::IoError(error) => error,
            XlsxError::RowColumnLimitError => {
                io::Error::other("a workbook has at most 1,048,576 rows; end the name in .csv or .parquet")
            }
            other => io::Error::other(other),
        };
        Error::Write { path: self.output.path().to_owned(), source }
    }
}

/// Makes the sheet, with the names of the columns.
fn begin(writer: &mut Writer, columns: &[(&str, ColumnKind)]) -> Result<(), XlsxError> {
    let sheet = writer.add_worksheet_with_constant_memory()?;
    let bold = Format::new().set_bold();
    for (column, (name, _)) in (0..).zip(columns) {
        sheet.write_string_with_format(0, column, *name, &bold)?;
    }
    sheet.set_freeze_panes(1, 0).map(drop)
}

/// Writes a cell. Texts are never formulas or links in a workbook.
fn write(sheet: &mut Worksheet, row: u32, column: u16, cell: Cell<'_>) -> Result<(), XlsxError> {
    match cell {
        Cell::Text(text) => {
            let end = text.char_indices().nth(MOST_CHARACTERS).map_or(text.len(), |(end, _)| end);
            sheet.write_string(row, column, &text[..end])?;
        }
        Cell::Integer(integer) => _ = sheet.write_number(row, column, integer as f64)?,
        Cell::Number(number) => _ = sheet.write_number(row, column, number)?,
        Cell::Bool(value) => _ = sheet.write_boolean(row, column, value)?,
        Cell::Numbers(numbers) => {
            let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
            sheet.write_string(row, column, numbers.join(" "))?;
        }
        Cell::Bytes(_) => {
            let mut digits = Vec::new();
            push_plain(&mut digits, cell);
            sheet.write_string(row, column, String::from_utf8_lossy(&digits))?;
        }
        Cell::Absent => {}
    }
    Ok(())
}

impl fmt::Debug for Workbook {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Workbook").field("row", &self.row).finish_non_exhaustive()
    }
}
