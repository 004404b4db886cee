//! The page of a run that was not made here: Spark has found what it shows.

use super::plan::plan as plan_figures;
use super::search::search;
use crate::comparison::Figure;
use crate::findings::{Scores, shared_passages};
use crate::run::{
    ClusterOfPage, CurveOfPage, ExampleKind, ExampleOfPage, ExamplesOfPage, MemberOfPage, PairOfPage,
    RemovedScores, RolesOfPair, RunPage, SizeClass, TextOfPage,
};
use crate::similarity::similar_when;
use crate::words::percent;
use lookalike::compare::Passages;
use lookalike::{Plan, Sketcher};
use lookalike_engine::PlanSummary;
use serde::Deserialize;

/// What a run has found, as its page needs it.
#[derive(Debug, Deserialize)]
struct ReportInput {
    inputs: Vec<String>,
    /// Sentences that say what the run did.
    done: Vec<String>,
    /// Records that were skipped.
    skipped: u64,
    figures: Vec<FigureInput>,
    /// How clusters are made, and what is kept of them.
    removal: Vec<FigureInput>,
    within: Vec<String>,
    effort: Vec<FigureInput>,
    removed: SimilarityCounts,
    /// Removed documents that are no pair with the kept one.
    below: u64,
    links: SimilarityCounts,
    curve: Option<Curve>,
    clusters: Vec<SizesInput>,
    buckets: Vec<SizesInput>,
    closest: Vec<ExampleInput>,
    loosest: Vec<ExampleInput>,
    largest: Vec<ExampleInput>,
}

/// A name, a value and a note.
type FigureInput = (String, String, String);

/// The least and the greatest size, how many there are, and their documents.
type SizesInput = (u64, u64, u64, u64);

/// Similarities below 1, in bins of equal width, and how often it is 1.
#[derive(Debug, Deserialize)]
struct SimilarityCounts {
    bins: Vec<u64>,
    same: u64,
}

#[derive(Debug, Deserialize)]
struct Curve {
    chances: Vec<f64>,
    estimated: Vec<f64>,
}

#[derive(Debug, Deserialize)]
struct ExampleInput {
    kept: TextInput,
    removed: TextInput,
    /// Is the first one kept?
    stays: bool,
    similarity: f64,
    containment: f64,
    cluster: Option<ClusterInput>,
}

#[derive(Debug, Deserialize)]
struct TextInput {
    id: String,
    text: String,
    characters: u64,
}

#[derive(Debug, Deserialize)]
struct ClusterInput {
    documents: u64,
    removed: u64,
    mean: f64,
    members: Vec<(String, f64)>,
}

/// The report page of what `dedup` has found elsewhere by this plan. `found` is JSON.
///
/// # Errors
/// The message of a JSON reader, if something is missing in `found`.
pub fn found_page(found: &str, plan: &Plan) -> Result<String, serde_json::Error> {
    let found: ReportInput = serde_json::from_str(found)?;
    let summary = PlanSummary::new(plan);
    let kinds = [
        (ExampleKind::ClosestRemoved, &found.closest),
        (ExampleKind::LoosestClusters, &found.loosest),
        (ExampleKind::LargestClusters, &found.largest),
    ];
    let mut sketcher = Sketcher::new(plan);
    let passages = kinds.map(|(_, examples)| {
        examples
            .iter()
            .map(|ExampleInput { kept, removed, .. }| {
                shared_passages(&mut sketcher, [&kept.text, &removed.text])
            })
            .collect::<Vec<Passages>>()
    });
    let histogram = |SimilarityCounts { bins, same }| {
        super::charts::histogram(&summary, &Scores::Similarities { bins, same })
    };
    let examples = kinds.iter().zip(&passages).map(|(&(kind, examples), passages)| ExamplesOfPage {
        kind,
        examples: examples
            .iter()
            .zip(passages)
            .map(|(example, passages)| of_page(example, passages))
            .collect(),
    });
    let mut done = found.done;
    done.push(format!("Similar means: {}.", similar_when(&summary)));
    let page = RunPage {
        title: "Removed near-duplicates",
        inputs: &found.inputs,
        done,
        figures: figures(found.figures),
        plan: plan_figures(&summary, &found.within, figures(found.removal)),
        effort: figures(found.effort),
        skipped: Vec::new(),
        skipped_in_all: found.skipped,
        removed: Some(RemovedScores { scores: histogram(found.removed), below: found.below }),
        links: histogram(found.links),
        curve: found.curve.map(|Curve { chances, estimated }| CurveOfPage { chances, estimated }),
        search: search(&summary, "Copies need no search and are not counted here."),
        clusters: sizes(found.clusters),
        buckets: sizes(found.buckets),
        examples: examples.collect(),
    };
    Ok(page.to_html())
}

fn figures(rows: Vec<FigureInput>) -> Vec<Figure> {
    rows.into_iter().map(|(name, value, note)| Figure { name: name.into(), value, note }).collect()
}

fn sizes(sizes: Vec<SizesInput>) -> Vec<SizeClass> {
    let class = |(from, to, groups, documents)| SizeClass { from, to, groups, documents };
    sizes.into_iter().map(class).collect()
}

fn of_page<'a>(example: &'a ExampleInput, passages: &'a Passages) -> ExampleOfPage<'a> {
    let text =
        |TextInput { id, text, characters }: &'a TextInput| TextOfPage { id, text, characters: *characters };
    let in_words = |similarity: f64| format!("{similarity:.4}");
    let cluster = |ClusterInput { documents, removed, mean, members }: &'a ClusterInput| ClusterOfPage {
        documents: *documents,
        removed: *removed,
        mean: format!("{mean:.3}"),
        members: members.iter().map(|(id, score)| MemberOfPage { id, score: in_words(*score) }).collect(),
    };
    let pair = PairOfPage {
        cluster: None,
        texts: [text(&example.kept), text(&example.removed)],
        roles: if example.stays { RolesOfPair::KeptAndRemoved } else { RolesOfPair::BothRemoved },
        score: in_words(example.similarity),
        containment: Some(percent(example.containment)),
        passages,
    };
    ExampleOfPage { pair, cluster: example.cluster.as_ref().map(cluster) }
}
