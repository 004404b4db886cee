//! The plan of a run.

use super::figure;
use crate::comparison::Figure;
use crate::numbers::several;
use crate::words::percent;
use lookalike_engine::{PlanSummary, SearchSummary};

/// The plan of a run, and the fields of `--within`, with figures of the verb `between`.
pub(super) fn plan(plan: &PlanSummary, within: &[String], between: Vec<Figure>) -> Vec<Figure> {
    let mut figures = vec![
        figure("Method", plan.method.to_owned(), plan.reason.clone().unwrap_or_default()),
        match (plan.measure, plan.threshold) {
            (Some(measure), Some(threshold)) => {
                let compared =
                    if plan.verify.is_some() { "estimated by signatures" } else { "compared exactly" };
                let note = format!("similar from {threshold} on, {compared}");
                figure("Measure", measure.to_owned(), note)
            }
            _ => {
                figure("Measure", "none".to_owned(), "the distance of fingerprints decides alone".to_owned())
            }
        },
        figure(
            "Features",
            format!("{} {}", plan.shingle, plan.tokens),
            format!(
                "in a row are a shingle; {}{}, weights {}",
                match &plan.fold[..] {
                    [] => String::new(),
                    folds => format!("without {}, ", folds.join(", ")),
                },
                several(plan.stop_words as u64, "stop word"),
                plan.weights
            ),
        ),
    ];
    if !within.is_empty() {
        let note = "only documents with the same values are compared".to_owned();
        figures.push(figure("Within", within.join(", "), note));
    }
    figures.extend(search_figure(&plan.search));
    figures.extend(between);
    figures.push(figure("Seed", plan.seed.to_string(), String::new()));
    figures.push(figure("Plan", plan.id.clone(), "names the bits of sketches".to_owned()));
    figures
}

/// The settings of the search; exact search has none.
fn search_figure(search: &SearchSummary) -> Option<Figure> {
    match search {
        SearchSummary::Bands { num_perm, scheme, bands, rows, recall_at_threshold, found_from, .. } => {
            Some(figure(
                "Bands",
                format!("{bands} × {rows}"),
                match recall_at_threshold {
                    Some(recall) if let Some(from) = found_from => format!(
                        "of {num_perm} MinHash values ({scheme}); signatures find {} of the pairs at the threshold, and 99 % of those from {from} on",
                        percent(*recall)
                    ),
                    Some(recall) => format!(
                        "of {num_perm} MinHash values ({scheme}); a pair at the threshold is found with a probability of {}",
                        percent(*recall)
                    ),
                    None => format!("of {num_perm} MinHash values ({scheme})"),
                },
            ))
        }
        SearchSummary::Fingerprints { bits, hamming, tie, feature_hash, .. } => Some(figure(
            "Distance",
            format!("{hamming} of {bits} bits"),
            format!("of SimHash fingerprints; ties {tie}, features by {feature_hash}"),
        )),
        SearchSummary::Features {} => None,
    }
}
