//! The columns of lists.

use lookalike::{Measure, Plan, Score, Similarity};
use lookalike_corpus::{Cell, ColumnKind};

/// The name of the column of the similarity of two documents: that of the measure, or what sketches say in its place.
pub fn score_column(plan: &Plan) -> &'static str {
    match plan.measure() {
        _ if plan.estimates() => "jaccard_estimate",
        _ if plan.decides_by_distance() => "hamming",
        Measure::Jaccard => "jaccard",
        Measure::WordJaccard => "word_jaccard",
        Measure::Cosine => "cosine",
        Measure::Containment => "containment",
    }
}

/// The same beside the column `containment`, which must have another name.
pub fn score_column_of_removed(plan: &Plan) -> &'static str {
    match score_column(plan) {
        "containment" => "overlap",
        other => other,
    }
}

/// The columns of the interval of an estimate, which are behind it.
pub const COLUMNS_OF_INTERVAL: [&str; 2] = ["estimate_low", "estimate_high"];

/// The column of a score that has this `name`, and those of its interval if it is an estimate.
pub fn columns_of_score(plan: &Plan, name: &'static str) -> Vec<(&'static str, ColumnKind)> {
    let kind = if plan.decides_by_distance() { ColumnKind::Integer } else { ColumnKind::Number6 };
    let interval = plan.estimates().then_some(COLUMNS_OF_INTERVAL).into_iter().flatten();
    std::iter::once(name).chain(interval).map(|name| (name, kind)).collect()
}

/// The cell of a similarity or a distance.
pub(super) fn score_cell<'c>(score: Score) -> Cell<'c> {
    match score {
        Score::Similarity(similarity) => Cell::Number(similarity.value()),
        Score::Hamming(distance) => Cell::Integer(u64::from(distance)),
        Score::Estimate(estimate) => Cell::Number(estimate.similarity().value()),
    }
}

/// The cells of [`columns_of_score`].
pub fn score_cells<'c>(score: Score) -> impl Iterator<Item = Cell<'c>> {
    let interval = match score {
        Score::Estimate(estimate) => Some(estimate.interval()),
        Score::Similarity(_) | Score::Hamming(_) => None,
    };
    let interval = interval.into_iter().flatten().map(|end: Similarity| Cell::Number(end.value()));
    std::iter::once(score_cell(score)).chain(interval)
}
