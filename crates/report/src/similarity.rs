//! How documents are compared, in words.

use lookalike_engine::{PlanSummary, SearchSummary};

/// When two documents are similar. Empty if the plan makes no pairs.
pub fn similar_when(plan: &PlanSummary) -> String {
    let (features, weights) = (features(plan), weights(plan));
    match (&plan.search, plan.measure, plan.threshold) {
        (_, Some(measure), Some(threshold)) => {
            let measure = match measure {
                "jaccard" | "word-jaccard" => "Jaccard",
                other => other,
            };
            let verified = match plan.verify {
                Some(_) => "estimated by signatures; not verified",
                None => "verified exactly",
            };
            format!("{measure} {threshold} or more of {features}{weights}, {verified}")
        }
        (SearchSummary::Fingerprints { bits, hamming, .. }, ..) => {
            format!("{hamming} or fewer of {bits} SimHash bits differ, of {features}{weights}; not verified")
        }
        _ => String::new(),
    }
}

/// By what `similar` compares documents with its text.
pub fn compared_by(plan: &PlanSummary) -> String {
    let (features, weights) = (features(plan), weights(plan));
    match plan.measure {
        Some(measure) => format!("by {measure} of {features}{weights}, exactly"),
        None => format!("by fingerprints of {features}{weights}"),
    }
}

/// By what `sketch` makes its sketches.
pub fn sketched_by(plan: &PlanSummary) -> String {
    let features = features(plan);
    match (&plan.search, plan.weights) {
        (SearchSummary::Bands { .. }, _) => format!("by MinHash of {features}"),
        (_, "set") => format!("by SimHash of {features}"),
        (_, weights) => format!("by SimHash of {features}, weights {weights}"),
    }
}

/// The features of a document.
fn features(plan: &PlanSummary) -> String {
    let features = match (plan.measure, plan.tokens) {
        (Some("word-jaccard"), _) => "words".to_owned(),
        (_, "chars") => format!("{}-character shingles", plan.shingle),
        _ => format!("{}-word shingles", plan.shingle),
    };
    match plan.fold.join(", ") {
        folds if folds.is_empty() => features,
        folds => format!("{features} without {folds}"),
    }
}

/// The weights of features, if the comparison depends on them.
fn weights(plan: &PlanSummary) -> String {
    let count = plan.measure.is_none_or(|measure| measure == "cosine");
    match plan.weights {
        "set" => String::new(),
        weights if count => format!(", weights {weights}"),
        _ => String::new(),
    }
}
