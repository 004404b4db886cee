//! The lists of removed documents and of clusters.

use super::columns::{columns_of_score, score_cells, score_column_of_removed};
use super::context::OutputContext;
use lookalike::Plan;
use lookalike_corpus::Interrupted;
use lookalike_corpus::{Cell, ColumnKind, TableWriter};
use lookalike_engine::Error;
use lookalike_engine::progress::{Interrupt, Monitor};

/// The columns of the list of clusters.
pub const COLUMNS_OF_CLUSTERS: [(&str, ColumnKind); 3] =
    [("id", ColumnKind::Id), ("cluster", ColumnKind::Integer), ("kept", ColumnKind::Bool)];

/// The columns of the list of removed documents. `tells_contained` adds the containment in either direction.
pub fn columns_of_removed(plan: &Plan, tells_contained: bool) -> Vec<(&'static str, ColumnKind)> {
    let mut columns =
        vec![("id", ColumnKind::Id), ("kept_id", ColumnKind::Id), ("cluster", ColumnKind::Integer)];
    columns.extend(columns_of_score(plan, score_column_of_removed(plan)));
    columns.extend([
        ("containment", ColumnKind::Number6),
        ("uncovered_words", ColumnKind::Integer),
        ("uncovered", ColumnKind::Text),
    ]);
    columns.extend(tells_contained.then_some(("against_containment", ColumnKind::Number6)));
    columns
}

/// Writes the list of removed documents. Clusters are numbered from 1 in the order of their first members.
pub fn write_removed(
    mut table: TableWriter,
    tells_contained: bool,
    context: &OutputContext<'_>,
    monitor: &Monitor,
) -> Result<TableWriter, Error> {
    for (index, cluster) in context.decisions.clusters().enumerate() {
        let reasons = context.reasons.of_cluster(context.decisions, index);
        for decision in until_stopped(&monitor.interrupt, cluster.decisions().zip(reasons)) {
            let ((member, kept), reason) = decision?;
            if member == kept {
                continue;
            }
            let (words, excerpt) = context.uncovered_text.with(member).unwrap_or_default();
            // Without comparison containment and uncovered words are unknown.
            let containment = reason.containment;
            let share = reason.contained.map_or(Cell::Absent, |contained| Cell::Number(contained.value()));
            let kept_id = context.id_of_kept(kept);
            let id = context.names.id(member);
            let mut row = vec![
                Cell::Text(&id),
                kept_id.as_deref().map_or(Cell::Absent, Cell::Text),
                Cell::Integer(index as u64 + 1),
            ];
            row.extend(score_cells(reason.score));
            row.extend([
                containment.map_or(Cell::Absent, |containment| Cell::Number(containment.value())),
                containment.map_or(Cell::Absent, |_| Cell::Integer(words)),
                containment.map_or(Cell::Absent, |_| Cell::Text(excerpt)),
            ]);
            row.extend(tells_contained.then_some(share));
            table.row(&row)?;
        }
    }
    Ok(table)
}

/// Writes the list of clusters.
pub fn write_clusters(
    mut table: TableWriter,
    context: &OutputContext<'_>,
    monitor: &Monitor,
) -> Result<TableWriter, Error> {
    for (number, cluster) in (1..).zip(context.decisions.clusters()) {
        for decision in until_stopped(&monitor.interrupt, cluster.decisions()) {
            let (member, kept) = decision?;
            let id = context.names.id(member);
            table.row(&[Cell::Text(&id), Cell::Integer(number), Cell::Bool(member == kept)])?;
        }
    }
    Ok(table)
}

/// The items, until the run is interrupted. A cluster may hold most of the corpus, so every row asks.
fn until_stopped<T>(
    interrupt: &Interrupt,
    items: impl Iterator<Item = T>,
) -> impl Iterator<Item = Result<T, Interrupted>> {
    items.map(|item| interrupt.check().map(|()| item))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_stops_a_list_within_a_cluster() {
        let interrupt = Interrupt::default();
        let mut members = until_stopped(&interrupt, 0..1000);
        assert_eq!(members.next(), Some(Ok(0)));
        assert_eq!(members.next(), Some(Ok(1)));
        interrupt.set();
        assert_eq!(members.next(), Some(Err(Interrupted)));
    }
}
