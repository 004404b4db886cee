//! The list of pairs.

use super::columns::{score_cell, score_column};
use lookalike::{Match, Plan};
use lookalike_corpus::{Cell, ColumnKind, TableWriter};
use lookalike_engine::Error;
use lookalike_engine::documents::DocumentNames;
use lookalike_engine::progress::Monitor;

/// The columns of the list of pairs.
pub fn columns_of_pairs(plan: &Plan) -> [(&'static str, ColumnKind); 3] {
    [("a", ColumnKind::Text), ("b", ColumnKind::Text), score_column(plan)]
}

/// Writes the list of pairs, in their order.
///
/// # Errors
/// If the list cannot be written, or the run is interrupted.
pub fn write_pairs(
    mut table: TableWriter,
    names: &DocumentNames<'_>,
    pairs: &[Match],
    monitor: &Monitor,
) -> Result<TableWriter, Error> {
    for pair in pairs {
        monitor.interrupt.check()?;
        let (a, b) = (names.id(pair.a), names.id(pair.b));
        table.row(&[Cell::Text(&a), Cell::Text(&b), score_cell(pair.score)])?;
    }
    Ok(table)
}
