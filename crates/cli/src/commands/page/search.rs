//! The search in words, beside its chart.

use lookalike_engine::{PlanSummary, SearchSummary};

/// How pairs are searched, and how that shows in the chart. `copies` says how copies are counted.
pub(super) fn search(plan: &PlanSummary, copies: &str) -> String {
    match (&plan.search, plan.recall_is_known, plan.measure) {
        (SearchSummary::Features {}, ..) => format!(
            "Exact search: every pair at the threshold or above is found, so there is no curve. {copies}"
        ),
        (SearchSummary::Fingerprints { bits, hamming, .. }, _, None) => format!(
            "Pairs are those whose fingerprints of {bits} bits differ in {hamming} or fewer, and all of them are found; their texts are \
             not compared, so nothing is known of similarities. {copies}"
        ),
        (_, false, _) => format!(
            "Pairs are searched by other features or weights than the measure's, so there is no curve to tell what was missed. {copies}"
        ),
        (SearchSummary::Bands { bands, rows, .. }, ..) => format!(
            "A pair is found if its MinHash signatures agree in one of {bands} bands of {rows} values: the more similar, the likelier. Each \
             pair found stands for as many as its chance says: an estimate of these and of those like them that were missed. {copies}"
        ),
        (SearchSummary::Fingerprints { bits, hamming, .. }, ..) => format!(
            "A pair is found if its fingerprints of {bits} bits differ in {hamming} or fewer: the more similar, the likelier. Each pair \
             found stands for as many as its chance says: an estimate of these and of those like them that were missed. {copies}"
        ),
    }
}
