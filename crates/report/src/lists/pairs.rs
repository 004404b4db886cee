//! The list of pairs.

use super::columns::{columns_of_score, score_cells, score_column};
use lookalike::{Match, Plan};
use lookalike_corpus::{Cell, ColumnKind, TableWriter};
use lookalike_engine::Error;
use lookalike_engine::documents::DocumentNames;
use lookalike_engine::progress::Monitor;

/// The columns of the list of pairs.
pub fn columns_of_pairs(plan: &Plan) -> Vec<(&'static str, ColumnKind)> {
    let score = columns_of_score(plan, score_column(plan));
    [("a", ColumnKind::Id), ("b", ColumnKind::Id)].into_iter().chain(score).collect()
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
        let ids = [Cell::Text(&a), Cell::Text(&b)];
        table.row(&ids.into_iter().chain(score_cells(pair.score)).collect::<Vec<_>>())?;
    }
    Ok(table)
}
