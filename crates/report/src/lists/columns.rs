//! The columns of lists.

use lookalike::{Measure, Plan, Score};
use lookalike_corpus::{Cell, ColumnKind};

/// The column of the similarity of two documents.
pub fn score_column(plan: &Plan) -> (&'static str, ColumnKind) {
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
pub fn score_column_of_removed(plan: &Plan) -> (&'static str, ColumnKind) {
    match score_column(plan) {
        ("containment", kind) => ("overlap", kind),
        other => other,
    }
}

/// The cell of a similarity or a distance.
pub fn score_cell(score: Score) -> Cell<'static> {
    match score {
        Score::Similarity(similarity) => Cell::Number(similarity.value()),
        Score::Hamming(distance) => Cell::Integer(u64::from(distance)),
    }
}
