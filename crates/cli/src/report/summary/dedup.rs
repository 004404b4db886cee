//! The summaries of `dedup`, and of `index build` and `index add`.

use super::against;
use super::parts::{memory, method, read, searched, unread, unusual, within};
use super::recall::recall;
use crate::report::similarity::similar_line;
use crate::report::words::{count, note, several};
use lookalike_batch::{DedupSummary, LooseCluster, RemovalSummary};
use lookalike_engine::PlanSummary;
use std::fmt::{Result, Write};

/// `dedup`
pub(crate) fn dedup(text: &mut String, summary: &DedupSummary) -> Result {
    documents(text, summary, "--against")?;
    // Clusters of an index are no stars.
    let of_index = summary.against.as_ref().is_some_and(|against| against.looked_at.is_some());
    let advice = if of_index { "" } else { "; --cluster star prevents that" };
    found(text, summary, advice)?;
    method(text, &summary.plan)?;
    recall_of(text, summary)?;
    kept(text, summary)?;
    end(text, summary)
}

/// `index build` and `index add`
pub(crate) fn added(text: &mut String, summary: &DedupSummary) -> Result {
    documents(text, summary, "the index")?;
    found(text, summary, "")?;
    recall_of(text, summary)?;
    end(text, summary)
}

/// The documents that were read, beside others of `place`, and how they were compared.
fn documents(text: &mut String, summary: &DedupSummary, place: &str) -> Result {
    let beside = match &summary.against {
        Some(against) if against.documents > 0 => format!(" beside {} of {place}", count(against.documents)),
        _ => String::new(),
    };
    read(text, &summary.read, &beside, &summary.effort)?;
    unread(text, &summary.read, summary.scan.empty)?;
    unusual(text, &summary.scan, Some(&summary.ids))?;
    let without_number = summary.without_number.unwrap_or(0);
    note(text, without_number, "document", " without a number to choose by (--keep), the last to be kept")?;
    writeln!(text, "{}", similar_line(&summary.plan))?;
    within(text, &summary.within)
}

/// The clusters, with `advice` if some are loose, and the search for them.
fn found(text: &mut String, summary: &DedupSummary, advice: &str) -> Result {
    let found = &summary.found;
    write!(text, "found      {}", several(found.clusters, "cluster"))?;
    if found.clusters > 0 {
        write!(text, ", the largest of {}", several(found.largest_cluster, "document"))?;
    }
    writeln!(text)?;
    if let Some(loosest) = summary.removal.loosest.first() {
        writeln!(text, "{}{advice}", loose(summary.removal.loose_clusters, loosest))?;
    }
    searched(text, found)
}

/// How many clusters are loose, and how far the loosest of them reaches.
fn loose(clusters: u64, loosest: &LooseCluster) -> String {
    let are = if clusters == 1 { "is" } else { "are" };
    let far = match (loosest.least_similarity, loosest.greatest_distance) {
        (Some(similarity), _) => format!("is only {similarity:.2} similar to"),
        (None, distance) => format!("differs in {} bits from", distance.unwrap_or_default()),
    };
    let clusters = several(clusters, "cluster");
    let beside = if loosest.kept_id.is_some() { "the kept one" } else { "the first one" };
    format!("           {clusters} {are} loose: a removed document {far} {beside}")
}

fn recall_of(text: &mut String, summary: &DedupSummary) -> Result {
    // Clusters made by union also connect pairs that were not compared.
    let more = if summary.removal.clustering == "union" { " or more" } else { "" };
    recall(text, &summary.recall, &summary.plan, summary.found.pairs, more)
}

/// How many documents are removed and kept.
fn kept(text: &mut String, summary: &DedupSummary) -> Result {
    let removal = &summary.removal;
    let share = 100.0 * removal.removed as f64 / (summary.read.documents as f64).max(1.0);
    write!(text, "removed    {} ({share:.1} %)", several(removal.removed, "document"))?;
    against::removed(text, summary.against.as_ref())?;
    if removal.removed > 0 {
        writeln!(text, "           {}", removed_text(removal, &summary.plan))?;
    }
    writeln!(text, "kept       {}", several(removal.kept, "document"))?;
    if let (Some(amount), Some(share)) = (removal.kept_for_content, removal.min_containment) {
        let amount = count(amount);
        writeln!(
            text,
            "           {amount} of them for what no other kept one contains (--min-containment {share})"
        )?;
    }
    Ok(())
}

/// How much text the removed documents have.
pub(crate) fn removed_text(removal: &RemovalSummary, plan: &PlanSummary) -> String {
    let tokens = if plan.tokens == "chars" { "character" } else { "word" };
    let words = several(removal.removed_words, tokens);
    format!("{:.1} MB of text, {words}", removal.removed_bytes as f64 / 1e6)
}

/// How large the index is now, if there is one, and how much memory the run took.
fn end(text: &mut String, summary: &DedupSummary) -> Result {
    if let Some(indexed) = summary.indexed {
        let (added, total) = (several(summary.read.documents, "document"), count(indexed));
        writeln!(text, "added      {added}; the index has {total}")?;
    }
    memory(text, &summary.effort, summary.spilled)
}
