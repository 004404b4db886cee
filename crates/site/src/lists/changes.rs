//! The list of changes since an earlier audit.

use super::{list, text};
use crate::audit::{Audit, AuditChanges, ChangeKind, ChangedPair, Handled, Pair};
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

/// Writes what has changed between the audit `before` and `now`: pages (`page-added`, `page-removed`, `page-changed`) in column `a`, and then pairs (`pair-new`,
/// `pair-fixed`, `pair-changed`).
///
/// # Errors
/// Those of [`lookalike_corpus::TableWriter`].
pub fn write_changes(
    path: &Path,
    before: &Audit,
    now: &Audit,
    changes: &AuditChanges,
    waiting: &Waiting,
) -> Result<Completed, Error> {
    let mut table = list(path, &COLUMNS, waiting)?;
    let url = |audit: &'_ Audit, page: u32| audit.pages()[page as usize].url.clone();
    let added = changes.added.iter().map(|&page| ("page-added", url(now, page)));
    let removed = changes.removed.iter().map(|&page| ("page-removed", url(before, page)));
    let changed = changes.changed.iter().map(|&(_, page)| ("page-changed", url(now, page)));
    for (change, url) in added.chain(removed).chain(changed) {
        let mut row = [const { Cell::Absent }; COLUMNS.len()];
        (row[0], row[1]) = (Cell::Text(change), Cell::Text(&url));
        table.row(&row)?;
    }
    for pair in &changes.pairs {
        let change = match pair.kind() {
            ChangeKind::New => "pair-new",
            ChangeKind::Fixed => "pair-fixed",
            ChangeKind::Changed => "pair-changed",
        };
        let Some([a, b]) = urls(pair, before, now) else { continue };
        let class = |side: &Option<(Pair, Option<Handled>)>| side.map(|(pair, _)| pair.class.name());
        let handled =
            |side: &Option<(Pair, Option<Handled>)>| side.and_then(|(_, handled)| handled).map(Handled::name);
        table.row(&[
            Cell::Text(change),
            Cell::Text(&a),
            Cell::Text(&b),
            text(class(&pair.before)),
            text(class(&pair.now)),
            text(handled(&pair.before)),
            text(handled(&pair.now)),
        ])?;
    }
    table.complete()
}

/// The URLs of a pair.
fn urls(pair: &ChangedPair, before: &Audit, now: &Audit) -> Option<[String; 2]> {
    let (audit, (pair, _)) = match (pair.now, pair.before) {
        (Some(pair), _) => (now, pair),
        (None, pair) => (before, pair?),
    };
    Some([pair.a, pair.b].map(|page| audit.pages()[page as usize].url.clone()))
}
