//! What was sought, and how much of it was found.

use super::{
    Verb,
    words::{count, percent, several},
};
use lookalike_batch::{LooseCluster, Summary};
use lookalike_engine::{PlanSummary, SearchSummary};
use std::fmt::{Error, Write};

/// What is similar, in words.
pub(crate) fn score(verb: Verb, plan: &PlanSummary) -> String {
    let features = match (plan.measure, plan.tokens) {
        (Some("word-jaccard"), _) => "words".to_owned(),
        (_, "chars") => format!("{}-character shingles", plan.shingle),
        _ => format!("{}-word shingles", plan.shingle),
    };
    let counts = plan.measure.is_none_or(|measure| measure == "cosine") || verb == Verb::Sketch;
    let weights = match plan.weights {
        "set" => String::new(),
        _ if !counts => String::new(),
        weights => format!(", weights {weights}"),
    };
    match (&plan.search, plan.measure, plan.threshold) {
        (SearchSummary::Bands { .. }, ..) if verb == Verb::Sketch => {
            format!("sketched   by MinHash of {features}")
        }
        _ if verb == Verb::Sketch => format!("sketched   by SimHash of {features}{weights}"),
        (_, Some(measure), _) if verb == Verb::Similar => {
            format!("compared   by {measure} of {features}{weights}, exactly")
        }
        (_, Some(measure), Some(threshold)) => {
            let measure = match measure {
                "jaccard" | "word-jaccard" => "Jaccard",
                other => other,
            };
            format!("similar    {measure} {threshold} or more of {features}{weights}, verified exactly")
        }
        _ if verb == Verb::Similar => format!("compared   by fingerprints of {features}{weights}"),
        (SearchSummary::Fingerprints { bits, hamming, .. }, ..) => {
            format!(
                "similar    {hamming} or fewer of {bits} SimHash bits differ, of {features}{weights}; not verified"
            )
        }
        _ => String::new(),
    }
}

/// What hangs together by chains, and what to do about it.
pub(super) fn loose(clusters: u64, loosest: &LooseCluster) -> String {
    let are = if clusters == 1 { "is" } else { "are" };
    let far = match (loosest.least_similarity, loosest.greatest_distance) {
        (Some(similarity), _) => format!("is only {similarity:.2} similar to"),
        (None, distance) => format!("differs in {} bits from", distance.unwrap_or_default()),
    };
    let clusters = several(clusters, "cluster");
    let beside = if loosest.kept_id.is_some() { "the kept one" } else { "the first one" };
    format!("           {clusters} {are} loose: a removed document {far} {beside}")
}

/// How much of what is similar was found.
pub(super) fn recall(summary: &Summary) -> Result<String, Error> {
    let mut text = String::new();
    let sure = match (summary.recall_interval, summary.pairs) {
        (Some([low, high]), 1..) if high < 1.0 => {
            format!("{} to {} with 95 % certainty; ", percent(low), percent(high))
        }
        (Some([low, _]), 1..) => format!("{} at least with 95 % certainty; ", percent(low)),
        _ => String::new(),
    };
    // What dedup counts are pairs that met; others are in one cluster by way of these.
    let more = if summary.clustering == Some("union") { " or more" } else { "" };
    match (summary.recall_estimate.map(percent), &summary.plan.search) {
        (Some(_), SearchSummary::Features {}) => {
            writeln!(text, "recall     100 % of such pairs: exact search")?
        }
        (Some(recall), SearchSummary::Bands { bands, rows, .. }) => {
            writeln!(
                text,
                "recall     {recall}{more} of such pairs, estimated ({sure}{bands} × {rows} MinHash bands)"
            )?;
        }
        (Some(recall), SearchSummary::Fingerprints { bits, hamming, .. }) => writeln!(
            text,
            "recall     {recall}{more} of such pairs, estimated ({sure}SimHash of {bits} bits within a distance of {hamming})"
        )?,
        (None, _) => {
            if let Some(reason) = summary.recall_unknown() {
                writeln!(text, "recall     unknown: {reason}")?;
            }
        }
    }
    if let Some((reached, wanted)) = summary.plan.search.out_of_reach() {
        writeln!(
            text,
            "           warning: no bands of so few values find {} of the pairs at the threshold; these find {}. Raise --num-perm, or take \
             --method exact, which misses nothing",
            percent(wanted),
            percent(reached)
        )?;
    }
    if let Some(audit) = &summary.audit {
        write!(
            text,
            "audited    {} with {}",
            several(audit.documents, "document"),
            several(audit.partners, "partner")
        )?;
        match (audit.recall, audit.recall_interval) {
            (Some(recall), Some([low, high])) => {
                write!(text, ", {} of them found: {}", count(audit.found), percent(recall))?;
                match low < high {
                    true => writeln!(text, " ({} to {} with 95 % certainty)", percent(low), percent(high))?,
                    false => writeln!(text, "; these are all documents")?,
                }
            }
            _ => writeln!(text, ": nothing to measure the recall by")?,
        }
    }
    Ok(text)
}
