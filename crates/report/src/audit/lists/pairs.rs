//! The list of pairs.

use super::{list, percent, text};
use lookalike_audit::{Audit, Handled};
use lookalike_corpus::{Cell, ColumnKind, Completed, Error, Waiting};
use std::path::Path;

const COLUMNS: [(&str, ColumnKind); 13] = [
    ("a", ColumnKind::Text),
    ("b", ColumnKind::Text),
    ("matched_words", ColumnKind::Integer),
    ("percent_a", ColumnKind::Number6),
    ("percent_b", ColumnKind::Number6),
    ("jaccard", ColumnKind::Number6),
    ("containment", ColumnKind::Number6),
    ("word_jaccard", ColumnKind::Number6),
    ("sequence", ColumnKind::Number6),
    ("score", ColumnKind::Number6),
    ("band", ColumnKind::Text),
    ("class", ColumnKind::Text),
    ("handled", ColumnKind::Text),
];

/// Writes the list of pairs, in the order of the URLs. `matched_words` are those of the page that has more of them.
///
/// # Errors
/// Those of [`lookalike_corpus::TableWriter`].
pub fn write_pairs(path: &Path, audit: &Audit, waiting: &Waiting) -> Result<Completed, Error> {
    let mut table = list(path, &COLUMNS, waiting)?;
    let url = |page: u32| Cell::Text(&audit.pages()[page as usize].url);
    for pair in audit.pairs() {
        table.row(&[
            url(pair.a),
            url(pair.b),
            Cell::Integer(pair.matched_words[0].max(pair.matched_words[1]).into()),
            percent(pair.percent[0]),
            percent(pair.percent[1]),
            Cell::Number(pair.jaccard),
            Cell::Number(pair.containment),
            Cell::Number(pair.word_jaccard),
            pair.sequence.exact().map_or(Cell::Absent, Cell::Number),
            Cell::Number(pair.score),
            Cell::Text(pair.band().name()),
            Cell::Text(pair.class.name()),
            text(audit.handled(pair.a, pair.b).map(Handled::name)),
        ])?;
    }
    table.complete()
}
