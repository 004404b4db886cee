//! The page of a run that was not made here: Spark has found what it shows.

use super::plan::plan as plan_figures;
use super::search::search;
use crate::comparison::Figure;
use crate::findings::{Chances, Example, ExampleCluster, ExampleRoles, ExampleText, Scores, shared_passages};
use crate::run::{ExampleKind, ExamplesOfPage, RemovedScores, RunPage, SizeClass};
use crate::similarity::similar_when;
use lookalike::{Plan, Score, Similarity, Sketcher};
use lookalike_engine::PlanSummary;
use serde::Deserialize;
use serde::de::Error;

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
/// The message of a JSON reader, if something is missing in `found`, or out of range.
pub fn found_page(found: &str, plan: &Plan) -> Result<String, serde_json::Error> {
    let found: ReportInput = serde_json::from_str(found)?;
    let summary = PlanSummary::new(plan);
    let mut sketcher = Sketcher::new(plan);
    let mut examples = |all: Vec<ExampleInput>| -> Result<Vec<Example>, serde_json::Error> {
        all.into_iter().map(|example| example.into_example(&mut sketcher)).collect()
    };
    let (closest, loosest, largest) =
        (examples(found.closest)?, examples(found.loosest)?, examples(found.largest)?);
    let histogram = |SimilarityCounts { bins, same }| {
        super::charts::histogram(&summary, &Scores::Similarities { bins, same })
    };
    let curve = found.curve.map(|Curve { chances: curve, estimated }| Chances { curve, estimated });
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
        curve: curve.as_ref(),
        search: search(&summary, "Copies need no search and are not counted here."),
        clusters: sizes(found.clusters),
        buckets: sizes(found.buckets),
        examples: vec![
            ExamplesOfPage { kind: ExampleKind::ClosestRemoved, examples: &closest },
            ExamplesOfPage { kind: ExampleKind::LoosestClusters, examples: &loosest },
            ExamplesOfPage { kind: ExampleKind::LargestClusters, examples: &largest },
        ],
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

impl ExampleInput {
    fn into_example(self, sketcher: &mut Sketcher) -> Result<Example, serde_json::Error> {
        let text = |TextInput { id, text, characters }| ExampleText { id, text, characters };
        let texts = [text(self.kept), text(self.removed)];
        let whole = |ClusterInput { documents, removed, mean, members }| {
            let members = Vec::into_iter(members).map(|(id, similarity)| Ok((id, score(similarity)?)));
            Ok(ExampleCluster { documents, removed, mean, members: members.collect::<Result<_, _>>()? })
        };
        Ok(Example {
            passages: shared_passages(sketcher, &texts),
            texts,
            roles: if self.stays { ExampleRoles::KeptAndRemoved } else { ExampleRoles::BothRemoved },
            score: score(self.similarity)?,
            containment: Some(self.containment),
            cluster: None,
            whole: self.cluster.map(whole).transpose()?,
        })
    }
}

fn score(similarity: f64) -> Result<Score, serde_json::Error> {
    let similarity = Similarity::counted(similarity);
    let similarity = similarity.ok_or_else(|| serde_json::Error::custom("a similarity is from 0 to 1"))?;
    Ok(Score::Similarity(similarity))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_similarity_out_of_range_is_an_error_and_no_distance() {
        assert_eq!(score(1.0).unwrap(), Score::Similarity(Similarity::SAME));
        assert_eq!(score(-0.0).unwrap().similarity().map(|zero| zero.value().to_bits()), Some(0));
        for wrong in [-0.5, 1.5, f64::NAN] {
            assert_eq!(score(wrong).unwrap_err().to_string(), "a similarity is from 0 to 1");
        }
    }
}
