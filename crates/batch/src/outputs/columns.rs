//! The columns of lists.

use lookalike::{Measure, Plan, Score};
use lookalike_corpus::{Cell, ColumnKind};

/// The name of the column of the similarity of two documents.
pub fn score_column(plan: &Plan) -> &'static str {
    column(plan).0
}

/// The name of the same column in a list of removed documents, which has a column `containment` too.
pub fn score_column_of_removed(plan: &Plan) -> &'static str {
    column_of_removed(plan).0
}

/// The column of the similarity of two documents.
pub(crate) fn column(plan: &Plan) -> (&'static str, ColumnKind) {
    if !plan.verifies() {
        return ("hamming", ColumnKind::Integer);
    }
    let name = match plan.measure() {
        Measure::Jaccard => "jaccard",
        Measure::WordJaccard => "word_jaccard",
        Measure::Cosine => "cosine",
        Measure::Containment => "containment",
    };
    (name, ColumnKind::Number6)
}

/// The same column beside the column `containment`, which must have another name.
pub(super) fn column_of_removed(plan: &Plan) -> (&'static str, ColumnKind) {
    match column(plan) {
        ("containment", kind) => ("overlap", kind),
        other => other,
    }
}

/// The cell of a similarity or a distance.
pub(crate) fn cell(score: Score) -> Cell<'static> {
    match score {
        Score::Similarity(similarity) => Cell::Number(similarity.value()),
        Score::Hamming(distance) => Cell::Integer(u64::from(distance)),
    }
}
