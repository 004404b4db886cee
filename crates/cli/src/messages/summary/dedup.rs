//! The summaries of `dedup`, and of `index build` and `index add`.

use super::against;
use super::parts::{frequent, memory, method, read, searched, unread, unusual, within};
use super::recall::recall;
use crate::messages::summary::similar_line;
use crate::messages::words::{below, note};
use lookalike_engine::PlanSummary;
use lookalike_report::{DedupSummary, LooseCluster};
use lookalike_report::{count, removed_text, several};
use std::fmt::{Result, Write};

/// What `dedup` writes of the documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WrittenDocuments {
    /// The kept ones.
    Kept,
    /// All, with the decisions as fields.
    Annotated,
    /// None, in a dry run.
    Nothing,
}

/// `dedup`, which writes so many of the documents.
pub(crate) fn dedup(text: &mut String, summary: &DedupSummary, written: WrittenDocuments) -> Result {
    documents(text, summary, "--against")?;
    // Clusters of an index are no stars.
    let of_index = summary.against.as_ref().is_some_and(|against| against.looked_at.is_some());
    let advice = if of_index { "" } else { " (--cluster star prevents this)" };
    found(text, summary, advice)?;
    method(text, &summary.plan)?;
    recall_of(text, summary)?;
    kept(text, summary, written)?;
    end(text, summary)
}

/// `index build` and `index add`
pub(crate) fn added(text: &mut String, summary: &DedupSummary) -> Result {
    documents(text, summary, "the index")?;
    found_by(text, summary, joined)?;
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
    note(text, without_number, "document", " without a number in the field of --keep, which are kept last")?;
    writeln!(text, "{}", similar_line(&summary.plan))?;
    frequent(text, summary.frequent_shingles.as_ref(), &summary.plan)?;
    within(text, &summary.within)
}

/// The clusters, with `advice` if documents of loose ones are removed, and the search for them.
fn found(text: &mut String, summary: &DedupSummary, advice: &str) -> Result {
    found_by(text, summary, |plan, loosest| format!("{}{advice}", removed_from(plan, loosest)))
}

/// The clusters, with how far the loosest one reaches, and the search for them.
fn found_by(
    text: &mut String,
    summary: &DedupSummary,
    reach: impl Fn(&PlanSummary, &LooseCluster) -> String,
) -> Result {
    let found = &summary.found;
    write!(text, "found      {}", several(found.clusters, "cluster"))?;
    if found.clusters > 0 {
        write!(text, ", the largest of {}", several(found.largest_cluster, "document"))?;
    }
    writeln!(text)?;
    if let Some(loosest) = summary.removal.loosest.first() {
        let loose = summary.removal.loose_clusters;
        let are = if loose == 1 { "is" } else { "are" };
        let reach = reach(&summary.plan, loosest);
        writeln!(text, "           {} {are} loose: {reach}", several(loose, "cluster"))?;
    }
    searched(text, found)
}

/// How far the loosest cluster reaches, if its other documents are removed.
fn removed_from(plan: &PlanSummary, loosest: &LooseCluster) -> String {
    let first = if loosest.kept_id.is_some() { "the kept one" } else { "the first one" };
    format!("{} of a removed document to {first} is {}", extreme(loosest), furthest(plan, loosest))
}

/// How far the loosest cluster reaches, if all its documents stay.
fn joined(plan: &PlanSummary, loosest: &LooseCluster) -> String {
    format!("{} of a document to the first one is {}", extreme(loosest), furthest(plan, loosest))
}

fn extreme(loosest: &LooseCluster) -> &'static str {
    match (loosest.least_similarity, loosest.least_estimate) {
        (Some(_), _) => "the lowest similarity",
        (None, Some(_)) => "the lowest estimate of the similarity",
        (None, None) => "the greatest distance",
    }
}

fn furthest(plan: &PlanSummary, loosest: &LooseCluster) -> String {
    match loosest.least_similarity.or(loosest.least_estimate) {
        Some(similarity) => below(plan.threshold.unwrap_or_default(), similarity),
        None => several(u64::from(loosest.greatest_distance.unwrap_or_default()), "bit"),
    }
}

fn recall_of(text: &mut String, summary: &DedupSummary) -> Result {
    // Clusters made by union also connect pairs that were not compared.
    let more = if summary.removal.clustering == "union" { " or more" } else { "" };
    recall(text, &summary.recall, &summary.plan, summary.found.pairs, more)
}

/// How many documents are removed and kept.
fn kept(text: &mut String, summary: &DedupSummary, written: WrittenDocuments) -> Result {
    let removal = &summary.removal;
    let share = 100.0 * removal.removed as f64 / (summary.read.documents as f64).max(1.0);
    let removed = format!("{} ({share:.1} %)", several(removal.removed, "document"));
    match written {
        WrittenDocuments::Kept => write!(text, "removed    {removed}")?,
        WrittenDocuments::Annotated => write!(text, "marked     {removed} as duplicates of others")?,
        WrittenDocuments::Nothing => write!(text, "dry run    would remove {removed}")?,
    }
    against::removed(text, summary.against.as_ref())?;
    if removal.removed > 0 {
        writeln!(text, "           {}", removed_text(removal, &summary.plan))?;
    }
    let kept = several(removal.kept, "document");
    match written {
        WrittenDocuments::Kept => writeln!(text, "kept       {kept}")?,
        WrittenDocuments::Annotated => {
            writeln!(
                text,
                "written    {}, with the decisions in new fields",
                several(summary.read.documents, "document")
            )?;
        }
        WrittenDocuments::Nothing => writeln!(text, "           would keep {kept}")?,
    }
    if let (Some(amount @ 1..), Some(share)) = (removal.kept_for_content, removal.min_containment) {
        let spared = match written {
            WrittenDocuments::Annotated => ["is not marked", "are not marked"],
            WrittenDocuments::Kept | WrittenDocuments::Nothing => ["is kept", "are kept"],
        };
        let [of, is] = if amount == 1 { ["its", spared[0]] } else { ["their", spared[1]] };
        writeln!(
            text,
            "           {} {is} only because no kept one contains {share} of {of} shingles (--min-containment)",
            several(amount, "document")
        )?;
    }
    Ok(())
}

/// How large the index is now, if there is one, and how much memory the run took.
fn end(text: &mut String, summary: &DedupSummary) -> Result {
    if let Some(indexed) = summary.indexed {
        let (added, total) = (several(summary.read.documents, "document"), count(indexed));
        writeln!(text, "added      {added}; the index has {total}")?;
    }
    memory(text, &summary.effort, summary.spilled)
}
