//! The page of `dedup`.

use super::charts::{histogram, sizes_of_buckets};
use super::{effort, figure, figures, plan, search, skipped};
use crate::comparison::Figure;
use crate::findings::{Findings, Scores};
use crate::numbers::{count, several};
use crate::run::{ExampleKind, ExamplesOfPage, RemovedScores, RunPage};
use crate::similarity::similar_when;
use crate::summary::{AgainstSummary, DedupSummary};
use crate::words::{removed_text, share};
use lookalike_engine::request::Keep;

/// The report page of a run of `dedup` over these `inputs`, which may be a dry one.
pub fn dedup_page(
    inputs: &[String],
    keep: &Keep,
    summary: &DedupSummary,
    findings: &Findings,
    dry_run: bool,
) -> String {
    let plan = &summary.plan;
    let copies = match summary.removal.clustering {
        "union" => {
            "Copies need no search and are not counted here. Other pairs are compared only until they connect a cluster."
        }
        _ => "Copies need no search and are not counted here.",
    };
    let page = RunPage {
        title: "Removed near-duplicates",
        inputs,
        done: done(summary, keep, dry_run),
        figures: all_figures(summary, findings),
        plan: plan::plan(plan, &summary.within, plan_of_removal(keep, summary)),
        effort: effort::effort(&summary.effort, &summary.found.monitoring),
        skipped: skipped(&summary.read.skips),
        skipped_in_all: summary.read.skips.skipped,
        removed: Some(RemovedScores {
            scores: histogram(plan, &findings.removed),
            below: findings.below_threshold,
        }),
        links: histogram(plan, &findings.links),
        curve: findings.chances.as_ref(),
        search: search::search(plan, copies),
        clusters: findings.cluster_sizes.clone(),
        buckets: sizes_of_buckets(&summary.found.monitoring),
        examples: vec![
            ExamplesOfPage { kind: ExampleKind::ClosestRemoved, examples: &findings.closest },
            ExamplesOfPage { kind: ExampleKind::LoosestClusters, examples: &findings.loosest },
            ExamplesOfPage { kind: ExampleKind::LargestClusters, examples: &findings.largest },
        ],
    };
    page.to_html()
}

/// The result, in a few sentences.
fn done(summary: &DedupSummary, keep: &Keep, dry_run: bool) -> Vec<String> {
    let removal = &summary.removal;
    let removed = match (removal.removed, dry_run) {
        (0, _) if removal.kept_for_content.unwrap_or(0) > 0 => format!(
            "Nothing was removed: {} stayed only because of --min-containment.",
            several(removal.kept_for_content.unwrap_or(0), "document")
        ),
        (0, _) if removal.clustering == "against" => "No document is similar to one of --against.".to_owned(),
        (0, _) => "No near-duplicates were found.".to_owned(),
        (removed, _) => format!(
            "{} of {} {} ({}); there are {}.",
            count(removed),
            several(summary.read.documents, "document"),
            match (removed, dry_run) {
                (1, true) => "would be removed",
                (1, false) => "was removed",
                (_, true) => "would be removed",
                (_, false) => "were removed",
            },
            share(removed, summary.read.documents),
            several(summary.found.clusters, "cluster"),
        ),
    };
    let mut done = vec![removed];
    done.extend(summary.against.as_ref().map(done_against));
    done.push(format!("Similar means: {}.", similar_when(&summary.plan)));
    if *keep == Keep::None && removal.removed > 0 {
        done.push(
            "No document of a cluster is kept. Each document is compared with the first of its cluster. The first is compared with the second."
                .to_owned(),
        );
    }
    if dry_run {
        done.push("A dry run: no documents were written.".to_owned());
    }
    done
}

fn done_against(against: &AgainstSummary) -> String {
    let contained = match (against.contained, against.share) {
        (Some(contained), Some(share)) => format!(
            ", {} of these because {share} or more of the shingles of the shorter text are in the longer one",
            count(contained)
        ),
        _ => String::new(),
    };
    format!(
        "The inputs were compared with {} of --against, which are not removed: {} removed for one of these{contained}.",
        several(against.documents, "document"),
        count(against.removed)
    )
}

/// Counts.
fn all_figures(summary: &DedupSummary, findings: &Findings) -> Vec<Figure> {
    let (documents, removal) = (summary.read.documents, &summary.removal);
    let mut all = figures::read(&summary.read, summary.scan.empty);
    all.extend(summary.frequent_shingles.as_ref().map(figures::frequent));
    all.extend([
        figure("Kept", count(removal.kept), format!("{} of the documents", share(removal.kept, documents))),
        figure(
            "Removed",
            count(removal.removed),
            format!(
                "{} of the documents; {}",
                share(removal.removed, documents),
                removed_text(removal, &summary.plan)
            ),
        ),
    ]);
    all.extend(removed(summary, findings));
    all.push(figures::candidates(&summary.found, &summary.plan));
    let more = if removal.clustering == "union" { ", or more," } else { "" };
    all.extend(figures::recall(&summary.recall, &summary.plan, summary.found.pairs, more));
    all.extend(summary.recall.audit.as_ref().map(figures::audited));
    all
}

/// Copies, chains and clusters of the removed documents, if there are any.
fn removed(summary: &DedupSummary, findings: &Findings) -> Vec<Figure> {
    if summary.removal.removed == 0 {
        return Vec::new();
    }
    let (same, name) = match &findings.removed {
        Scores::Similarities { same, .. } if summary.plan.verify.is_some() => (*same, "of estimate 1"),
        Scores::Similarities { same, .. } => (*same, "of similarity 1"),
        Scores::Distances(distances) => (distances.first().copied().unwrap_or(0), "of distance 0"),
    };
    let title = if summary.plan.verify.is_some() { "Same signature" } else { "Copies" };
    let largest = format!("the largest of {}", several(summary.found.largest_cluster, "document"));
    vec![
        figure(title, count(same), format!("of the removed documents are {name} to the kept one")),
        figure(
            "By a chain",
            count(findings.below_threshold),
            "of the removed documents are no pair with the kept one; other documents of the cluster connect them"
                .to_owned(),
        ),
        figure("Clusters", count(summary.found.clusters), largest),
    ]
}

/// How clusters are made, and which of their documents are kept.
fn plan_of_removal(keep: &Keep, summary: &DedupSummary) -> Vec<Figure> {
    let removal = &summary.removal;
    let note = match removal.clustering {
        "star" => "each removed document makes a pair with the kept one",
        "against" => "each removed document makes a pair with one of --against",
        _ => "a chain of pairs connects all documents of a cluster",
    };
    let mut figures =
        vec![keep_figure(keep), figure("Clusters", removal.clustering.to_owned(), note.to_owned())];
    if let Some(least) = removal.min_containment {
        let spared = several(removal.kept_for_content.unwrap_or(0), "document");
        let note = format!("of a removed document is in the kept one; {spared} kept only for this reason");
        figures.push(figure("Least containment", least.to_string(), note));
    }
    figures
}

/// Which document of a cluster is kept.
fn keep_figure(keep: &Keep) -> Figure {
    let which = match keep {
        Keep::First => "first".to_owned(),
        Keep::Last => "last".to_owned(),
        Keep::Longest => "longest".to_owned(),
        Keep::Max(_) => "greatest".to_owned(),
        Keep::Min(_) => "least".to_owned(),
        Keep::Count(most) => format!("first {}", count(most.get())),
        Keep::None => "none".to_owned(),
    };
    let by = match keep {
        Keep::Max(field) | Keep::Min(field) => format!("of a cluster by the field {field:?}"),
        _ => "of a cluster".to_owned(),
    };
    figure("Keep", which, by)
}
