//! The search in words, beside its chart.

use crate::numbers::several;
use lookalike_engine::{PlanSummary, SearchSummary};

/// How pairs are searched, and how that shows in the chart. `copies` says how copies are counted.
pub(super) fn search(plan: &PlanSummary, copies: &str) -> String {
    match (&plan.search, plan.recall_is_known, plan.measure) {
        (SearchSummary::Features {}, ..) => format!(
            "Exact search: every pair at the threshold or above is found, so there is no curve. {copies}"
        ),
        (SearchSummary::Fingerprints { bits, hamming, .. }, _, None) => format!(
            "Pairs are those whose fingerprints of {bits} bits differ in {hamming} or fewer, and all of them are found; their texts are \
             not compared, so their similarity is unknown. {copies}"
        ),
        (_, false, _) => format!(
            "The search uses other features or weights than the measure. The number of missed pairs is therefore unknown, and there is no curve. {copies}"
        ),
        (SearchSummary::Bands { bands, rows, .. }, ..) if plan.verify.is_some() => format!(
            "Pairs are those whose MinHash signatures agree in one of {} of {}, and estimate a similarity from the threshold on. Their texts are not compared, so there is no curve. {copies}",
            several(bands, "band"),
            several(rows, "value")
        ),
        (SearchSummary::Bands { bands, rows, .. }, ..) => format!(
            "A pair is found if its MinHash signatures agree in one of {} of {}: the more similar, the likelier. The \
             estimate adds the missed pairs: a pair that is found with a probability of one half counts as two pairs. {copies}",
            several(bands, "band"),
            several(rows, "value")
        ),
        (SearchSummary::Fingerprints { bits, hamming, .. }, ..) => format!(
            "A pair is found if its fingerprints of {bits} bits differ in {hamming} or fewer: the more similar, the likelier. The \
             estimate adds the missed pairs: a pair that is found with a probability of one half counts as two pairs. {copies}"
        ),
    }
}
