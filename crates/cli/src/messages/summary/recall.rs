//! The share of the pairs that was found.

use lookalike_engine::recall::RecallAudit;
use lookalike_engine::{PlanSummary, SearchSummary};
use lookalike_report::RecallSummary;
use lookalike_report::{count, percent, several};
use std::fmt::{Result, Write};

/// The recall of a search by `plan` that found so many `pairs`. `more` is " or more" if clusters also connect pairs that were not compared.
pub(super) fn recall(
    text: &mut String,
    recall: &RecallSummary,
    plan: &PlanSummary,
    pairs: u64,
    more: &str,
) -> Result {
    let sure = match (recall.recall_interval, pairs) {
        (Some([low, high]), 1..) if high < 1.0 => {
            format!("{} to {} with 95 % certainty; ", percent(low), percent(high))
        }
        (Some([low, _]), 1..) => format!("at least {} with 95 % certainty; ", percent(low)),
        _ => String::new(),
    };
    match (recall.recall_estimate.map(percent), &plan.search) {
        (Some(_), SearchSummary::Features {}) => {
            writeln!(text, "recall     100 % of such pairs: exact search")?
        }
        (Some(recall), SearchSummary::Bands { bands, rows, .. }) => {
            writeln!(
                text,
                "recall     {recall}{more} of such pairs (estimate; {sure}{bands} × {rows} MinHash bands)"
            )?;
        }
        (Some(recall), SearchSummary::Fingerprints { bits, hamming, .. }) => writeln!(
            text,
            "recall     {recall}{more} of such pairs (estimate; {sure}SimHash of {bits} bits within a distance of {hamming})"
        )?,
        (
            None,
            &SearchSummary::Bands {
                bands,
                rows,
                recall_at_threshold: Some(found),
                found_from: Some(from),
                ..
            },
        ) => {
            let (found, threshold) = (percent(found), plan.threshold.unwrap_or_default());
            writeln!(
                text,
                "recall     {found} of the pairs at {threshold}, 99 % of those from {from} on (estimates err; {bands} × {rows} MinHash bands)"
            )?;
        }
        (None, _) => {
            if let Some(reason) = recall.unknown(plan, pairs) {
                writeln!(text, "recall     unknown: {reason}")?;
            }
        }
    }
    if let (Some((reached, wanted)), SearchSummary::Bands { bands, rows, .. }) =
        (plan.search.out_of_reach(), &plan.search)
    {
        let remedy = if *rows == 1 {
            "a higher --num-perm finds more"
        } else {
            "more --bands or fewer --rows find more"
        };
        writeln!(
            text,
            "           warning: {bands} × {rows} bands find only {} of the pairs at the threshold, and {} were wanted (--recall); {remedy}, and \
             --method exact finds all",
            percent(reached),
            percent(wanted)
        )?;
    }
    recall.audit.as_ref().map_or(Ok(()), |audit| audited(text, audit))
}

/// The recall that an audit has measured.
fn audited(text: &mut String, audit: &RecallAudit) -> Result {
    let (documents, partners) = (several(audit.documents, "document"), several(audit.partners, "partner"));
    write!(text, "audited    {documents} with {partners}")?;
    let (Some(recall), Some([low, high])) = (audit.recall, audit.recall_interval) else {
        return writeln!(text, ": the recall cannot be measured without partners");
    };
    write!(text, ", {} of them found: {}", count(audit.found), percent(recall))?;
    match low < high {
        true => writeln!(text, " ({} to {} with 95 % certainty)", percent(low), percent(high)),
        false => writeln!(text, "; these are all documents"),
    }
}
