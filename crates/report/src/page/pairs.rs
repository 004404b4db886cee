//! The page of `pairs`.

use super::charts::{histogram, sizes_of_buckets};
use super::{effort, figure, figures, plan, search, skipped};
use crate::comparison::Figure;
use crate::findings::{PairFindings, Scores};
use crate::numbers::{count, several};
use crate::run::{ExampleKind, ExamplesOfPage, RunPage};
use crate::similarity::similar_when;
use crate::summary::PairsSummary;

/// The report page of a run of `pairs` over these `inputs`.
pub fn pairs_page(inputs: &[String], summary: &PairsSummary, findings: &PairFindings) -> String {
    let plan = &summary.plan;
    let page = RunPage {
        title: "Pairs of near-duplicates",
        inputs,
        done: done(summary),
        figures: all_figures(summary, findings),
        plan: plan::plan(plan, &summary.within, Vec::new()),
        effort: effort::effort(&summary.effort, &summary.found.monitoring),
        skipped: skipped(&summary.read.skips),
        skipped_in_all: summary.read.skips.skipped,
        removed: None,
        links: histogram(plan, &findings.scores),
        curve: findings.chances.as_ref(),
        search: search::search(plan, "Copies need no search and are not drawn."),
        clusters: findings.cluster_sizes.clone(),
        buckets: sizes_of_buckets(&summary.found.monitoring),
        examples: vec![
            ExamplesOfPage { kind: ExampleKind::NearestPairs, examples: &findings.nearest },
            ExamplesOfPage { kind: ExampleKind::MedianPairs, examples: &findings.median },
            ExamplesOfPage { kind: ExampleKind::MostSimilarPairs, examples: &findings.most_similar },
        ],
    };
    page.to_html()
}

/// The result, in a few sentences.
fn done(summary: &PairsSummary) -> Vec<String> {
    let found = &summary.found;
    let pairs = match found.pairs {
        0 => "No near-duplicates were found.".to_owned(),
        pairs => {
            let (pairs, clusters) = (several(pairs, "pair"), several(found.clusters, "cluster"));
            let are = if found.pairs == 1 { "was" } else { "were" };
            format!(
                "{pairs} {are} found among {}, in {clusters}.",
                several(summary.read.documents, "document")
            )
        }
    };
    vec![pairs, format!("Similar means: {}.", similar_when(&summary.plan))]
}

/// Counts.
fn all_figures(summary: &PairsSummary, findings: &PairFindings) -> Vec<Figure> {
    let found = &summary.found;
    let mut all = figures::read(&summary.read, summary.scan.empty);
    all.extend(summary.frequent_shingles.as_ref().map(figures::frequent));
    let (same, name) = match &findings.scores {
        Scores::Similarities { same, .. } if summary.plan.verify.is_some() => {
            (*same, "of estimate 1: copies, or nearly")
        }
        Scores::Similarities { same, .. } => (*same, "of similarity 1"),
        Scores::Distances(distances) => (distances.first().copied().unwrap_or(0), "of distance 0"),
    };
    all.push(figure("Pairs", count(found.pairs), "are in the list".to_owned()));
    if found.pairs > 0 {
        let largest =
            format!("connected by pairs, the largest of {}", several(found.largest_cluster, "document"));
        let title = if summary.plan.verify.is_some() { "Same signature" } else { "Copies" };
        all.push(figure(title, count(same), format!("of the pairs are {name}")));
        all.push(figure("Clusters", count(found.clusters), largest));
    }
    all.push(figures::candidates(found, &summary.plan));
    all.extend(figures::recall(&summary.recall, &summary.plan, found.pairs, ""));
    all.extend(summary.recall.audit.as_ref().map(figures::audited));
    all
}
