//! The list of changes since an earlier audit.

use super::{list, text};
use crate::audit::view::{ChangeRow, Since};
use lookalike::Sequential;
use lookalike_audit::{Audit, AuditChanges};
use lookalike_corpus::{Cell, ColumnKind, Completed, Error, Waiting};
use std::path::Path;

const COLUMNS: [(&str, ColumnKind); 7] = [
    ("change", ColumnKind::Text),
    ("a", ColumnKind::Text),
    ("b", ColumnKind::Text),
    ("class_before", ColumnKind::Text),
    ("class_now", ColumnKind::Text),
    ("handled_before", ColumnKind::Text),
    ("handled_now", ColumnKind::Text),
];

/// Writes what has changed until the audit `now`: pages (`page-added`, `page-removed`, `page-changed`) in column `a`, and then pairs (`pair-new`, `pair-fixed`,
/// `pair-changed`).
///
/// # Errors
/// Those of [`lookalike_corpus::TableWriter`].
pub fn write_changes(path: &Path, since: &Since, now: &Audit, waiting: &Waiting) -> Result<Completed, Error> {
    let mut table = list(path, &COLUMNS, waiting)?;
    for row in since.pages(now) {
        table.row(&cells(&row))?;
    }
    let mut written = Ok(());
    let mut write = |pair| {
        if let (Ok(()), Some(row)) = (&written, since.pair(&pair, now)) {
            written = table.row(&cells(&row));
        }
    };
    let Ok(()) = AuditChanges::each_pair(since.before(), now, &Sequential, &mut write);
    written?;
    table.complete()
}

fn cells<'r>(row: &ChangeRow<'r>) -> [Cell<'r>; COLUMNS.len()] {
    [
        Cell::Text(row.change),
        Cell::Text(row.a),
        text(row.b),
        text(row.class_before),
        text(row.class_now),
        text(row.handled_before),
        text(row.handled_now),
    ]
}
