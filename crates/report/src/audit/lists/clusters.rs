//! The list of clusters.

use super::{list, text};
use lookalike_audit::{Audit, Handled};
use lookalike_corpus::{Cell, ColumnKind, Completed, Error, Waiting};
use std::path::Path;

const COLUMNS: [(&str, ColumnKind); 8] = [
    ("cluster", ColumnKind::Integer),
    ("url", ColumnKind::Text),
    ("primary", ColumnKind::Text),
    ("percent", ColumnKind::Number6),
    ("percent_of_primary", ColumnKind::Number6),
    ("class", ColumnKind::Text),
    ("handled", ColumnKind::Text),
    ("reason", ColumnKind::Text),
];

/// Writes the list of clusters, a row for each page, the largest cluster first. The reason says why its primary page is that. `percent` is the
/// share of the page that its primary page has too.
///
/// # Errors
/// Those of [`lookalike_corpus::TableWriter`].
pub fn write_clusters(path: &Path, audit: &Audit, waiting: &Waiting) -> Result<Completed, Error> {
    let mut table = list(path, &COLUMNS, waiting)?;
    for (number, cluster) in (1..).zip(audit.clusters()) {
        let primary = &audit.pages()[cluster.primary as usize].url;
        let reason = cluster.reason.to_string();
        for &page in &cluster.pages {
            let pair = audit.pair(page, cluster.primary).filter(|_| page != cluster.primary);
            let side = usize::from(page > cluster.primary);
            let share = |side: usize| pair.map_or(Cell::Absent, |pair| super::percent(pair.percent[side]));
            table.row(&[
                Cell::Integer(number),
                Cell::Text(&audit.pages()[page as usize].url),
                Cell::Text(primary),
                share(side),
                share(1 - side),
                text(pair.map(|pair| pair.class.name())),
                text(audit.handled_page(page).map(Handled::name)),
                Cell::Text(&reason),
            ])?;
        }
    }
    table.complete()
}
