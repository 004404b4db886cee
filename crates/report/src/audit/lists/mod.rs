//! Lists of an audit for spreadsheets and programs: CSV, TSV, JSONL, Parquet or XLSX, by their names.

mod changes;
mod clusters;
mod links;
mod pages;
mod pairs;
mod skipped;

pub use changes::write_changes;
pub use clusters::write_clusters;
pub use links::{LinkList, LinkRow};
pub use pages::write_pages;
pub use pairs::write_pairs;
pub use skipped::SkippedList;

use lookalike_corpus::{Cell, ColumnKind, Error, TableWriter, Waiting};
use std::path::Path;

/// Starts a list. Its texts are of strangers, so none of them becomes a formula.
fn list(path: &Path, columns: &[(&str, ColumnKind)], waiting: &Waiting) -> Result<TableWriter, Error> {
    TableWriter::create(path, columns, waiting).map(TableWriter::without_formulas)
}

/// A text that may be missing.
fn text(text: Option<&str>) -> Cell<'_> {
    text.map_or(Cell::Absent, Cell::Text)
}

/// A number that may be missing.
fn integer(number: Option<impl Into<u64>>) -> Cell<'static> {
    number.map_or(Cell::Absent, |number| Cell::Integer(number.into()))
}

/// A share as a percentage.
fn percent(share: f64) -> Cell<'static> {
    Cell::Number(100.0 * share)
}
