//! The figures that both pages have.

use super::figure;
use crate::comparison::Figure;
use crate::numbers::{count, several};
use crate::summary::{FoundSummary, ReadSummary, RecallSummary};
use crate::words::{frequent_in, percent, size};
use lookalike_engine::features::frequent::FrequentSummary;
use lookalike_engine::recall::RecallAudit;
use lookalike_engine::{PlanSummary, SearchSummary};

/// The documents that were read, of which so many are `empty`, and the records and files that were not.
pub(super) fn read(read: &ReadSummary, empty: u64) -> Vec<Figure> {
    let mut figures = vec![figure(
        "Read",
        several(read.documents, "document"),
        format!("{} as they are stored", size(read.bytes)),
    )];
    let mut some = |name, amount: u64, note: &str| {
        if amount > 0 {
            figures.push(figure(name, count(amount), note.to_owned()));
        }
    };
    some("Skipped", read.skips.skipped, "records that could not be read");
    some("Empty", empty, "documents without features, similar to no other");
    some("Passed over", read.ignored_files, "files whose names have an unknown extension, and pipes");
    figures
}

/// The shingles that were left out.
pub(super) fn frequent(frequent: &FrequentSummary) -> Figure {
    let note = match frequent.largest.first().and_then(|largest| largest.shingle.as_deref()) {
        Some(shingle) => format!(", most of all “{shingle}”"),
        None => String::new(),
    };
    let note = format!("do not count: {} have them{note}", frequent_in(frequent));
    figure("Frequent shingles", count(frequent.dropped), note)
}

/// The candidates of the search, and how many of them were compared.
pub(super) fn candidates(found: &FoundSummary, plan: &PlanSummary) -> Figure {
    let note = match plan.measure {
        Some(_) if plan.verify.is_some() => {
            format!(
                "pairs share a bucket; the signatures of {} are similar",
                count(found.monitoring.compared)
            )
        }
        Some(_) => {
            format!(
                "pairs share a bucket or a feature; {} of them were compared exactly",
                count(found.monitoring.compared)
            )
        }
        None => "pairs have near fingerprints".to_owned(),
    };
    figure("Candidates", count(found.candidates), note)
}

/// The recall that an audit has measured.
pub(super) fn audited(audit: &RecallAudit) -> Figure {
    let measured = match (audit.recall, audit.recall_interval) {
        (Some(recall), Some([low, high])) => {
            format!("{} ({} to {})", percent(recall), percent(low), percent(high))
        }
        _ => "not measured".to_owned(),
    };
    let note = format!(
        "{} compared with all others: {} found of {}",
        several(audit.documents, "random document"),
        count(audit.found),
        several(audit.partners, "partner")
    );
    figure("Recall, measured", measured, note)
}

/// The estimated recall of a search that found so many `pairs`. `more` is ", or more," if clusters also connect pairs that were not
/// compared.
pub(super) fn recall(recall: &RecallSummary, plan: &PlanSummary, pairs: u64, more: &str) -> Option<Figure> {
    if let (Some(from), Some(found)) = (plan.search.found_from(), plan.search.recall_at_threshold()) {
        let note = format!("of the pairs at the threshold, and 99 % of those from {from} on");
        return Some(figure("Recall", percent(found), note));
    }
    let Some(estimate) = recall.recall_estimate else {
        let reason = recall.unknown(plan, pairs);
        return reason.map(|reason| figure("Recall", "unknown".to_owned(), reason.to_owned()));
    };
    let note = match (&plan.search, recall.recall_interval) {
        (SearchSummary::Features {}, _) => "exact search finds every pair".to_owned(),
        (_, Some([low, high])) if pairs > 0 => {
            let (low, high) = (percent(low), percent(high));
            format!("of such pairs{more} found, as estimated from them; {low} to {high} with 95 % certainty")
        }
        _ => "of such pairs at the threshold, by the plan".to_owned(),
    };
    Some(figure("Recall", percent(estimate), note))
}
