//! Examples: two texts side by side, alone or with their cluster.

use super::IdStart;
use super::excerpt::Excerpt;
use crate::findings::{Example, ExampleCluster, ExampleRoles, ExampleText};
use crate::marked::{MarkedText, PassageSide};
use crate::numbers::several;
use crate::words::percent;
use lookalike::{Score, Similarity};

/// Examples of one kind.
#[derive(Clone, Debug)]
pub(crate) struct ExamplesOfPage<'a> {
    /// What they are examples of.
    pub kind: ExampleKind,
    /// The examples.
    pub examples: &'a [Example],
}

/// What examples are chosen by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExampleKind {
    /// Removed documents that only just reach the threshold.
    ClosestRemoved,
    /// Clusters with removed documents that are far from the kept one.
    LoosestClusters,
    /// Clusters of many documents.
    LargestClusters,
    /// Pairs that only just reach the threshold.
    NearestPairs,
    /// Pairs in the middle.
    MedianPairs,
    /// Pairs that are nearly the same.
    MostSimilarPairs,
}

/// Examples under one heading.
pub(super) struct ExamplesSection<'a> {
    pub(super) id: &'static str,
    pub(super) heading: &'static str,
    pub(super) text: &'static str,
    pub(super) examples: Vec<ExampleHtml<'a>>,
}

/// An example with what its HTML needs.
pub(super) struct ExampleHtml<'a> {
    /// Names it within the page.
    pub(super) id: String,
    pub(super) example: &'a Example,
    pub(super) score: String,
    pub(super) containment: Option<String>,
    pub(super) cluster: Option<ClusterHtml<'a>>,
    pub(super) sides: [SideOfExample<'a>; 2],
}

/// The cluster that an example stands for.
pub(super) struct ClusterHtml<'a> {
    pub(super) documents: u64,
    pub(super) mean: String,
    pub(super) members: Vec<(IdStart<'a>, String)>,
    /// Removed documents that are not among `members`.
    pub(super) more: u64,
}

pub(super) struct SideOfExample<'a> {
    pub(super) id: String,
    /// What became of it.
    pub(super) role: &'static str,
    pub(super) name: IdStart<'a>,
    pub(super) excerpt: Excerpt<'a>,
}

impl ExampleKind {
    /// The id, the heading, the text below it, and the first letter of its anchors.
    fn words(self) -> [&'static str; 4] {
        match self {
            ExampleKind::ClosestRemoved => [
                "closest",
                "Removed, but only just",
                "The removed document of each cluster that is nearest to the threshold, the nearest first. If these should \
                 stay, use a higher threshold or a smaller distance.",
                "c",
            ],
            ExampleKind::LoosestClusters => [
                "loosest",
                "The loosest clusters",
                "Clusters of three or more whose removed documents are least similar to the kept one. The least similar one is shown \
                 beside the kept one. Other documents of the cluster connect them, by a chain of pairs.",
                "l",
            ],
            ExampleKind::LargestClusters => [
                "largest",
                "The largest clusters",
                "Each with the kept document and the removed one that is least similar to it.",
                "g",
            ],
            ExampleKind::NearestPairs => [
                "nearest",
                "Similar, but only just",
                "The least similar pairs, one of a cluster. If these should not be pairs, use a higher threshold or a smaller distance.",
                "n",
            ],
            ExampleKind::MedianPairs => [
                "median",
                "Pairs in the middle",
                "Half of the pairs are more similar, and half are less similar. One pair of a cluster is shown. Copies are not counted.",
                "m",
            ],
            ExampleKind::MostSimilarPairs => [
                "most-similar",
                "The most similar pairs",
                "The pairs with the smallest differences, one of a cluster. Copies are not shown.",
                "s",
            ],
        }
    }
}

impl<'a> ExamplesSection<'a> {
    pub(super) fn new(examples: &'a ExamplesOfPage<'a>) -> Self {
        let [id, heading, text, letter] = examples.kind.words();
        let all = examples.examples.iter().enumerate();
        let examples =
            all.map(|(index, example)| ExampleHtml::new(format!("{letter}{}", index + 1), example));
        ExamplesSection { id, heading, text, examples: examples.collect() }
    }
}

impl<'a> ExampleHtml<'a> {
    /// The example whose anchors start with `id`.
    fn new(id: String, example: &'a Example) -> Self {
        let side = |side: PassageSide, index: usize, role| {
            let ExampleText { id: name, text, characters } = &example.texts[index];
            SideOfExample {
                id: format!("{id}-{}", ["left", "right"][index]),
                role,
                name: IdStart(name),
                excerpt: Excerpt {
                    marked: MarkedText {
                        text,
                        side,
                        passages: &example.passages.passages,
                        of: format!("{id}-"),
                    },
                    characters: *characters,
                },
            }
        };
        let [left, right] = match example.roles {
            ExampleRoles::KeptAndRemoved => ["kept", "removed"],
            ExampleRoles::BothRemoved => ["removed too", "removed"],
            ExampleRoles::Listed => ["a", "b"],
        };
        ExampleHtml {
            score: in_words(example.score),
            containment: example.containment.map(percent),
            cluster: example.whole.as_ref().map(|whole| ClusterHtml::new(whole, example.score)),
            sides: [side(PassageSide::Left, 0, left), side(PassageSide::Right, 1, right)],
            id,
            example,
        }
    }
}

impl<'a> ClusterHtml<'a> {
    /// A cluster whose members are compared as a pair of this `score` is.
    fn new(ExampleCluster { documents, removed, mean, members }: &'a ExampleCluster, score: Score) -> Self {
        ClusterHtml {
            documents: *documents,
            mean: match score {
                Score::Similarity(_) => format!("{mean:.3}"),
                Score::Estimate(_) => format!("about {mean:.2}"),
                Score::Hamming(_) => format!("{mean:.1} bits"),
            },
            members: members.iter().map(|(id, score)| (IdStart(id), in_words(*score))).collect(),
            more: removed.saturating_sub(members.len() as u64),
        }
    }
}

fn in_words(score: Score) -> String {
    match score {
        Score::Similarity(similarity) => format!("{:.4}", similarity.value()),
        Score::Estimate(estimate) => {
            let [low, high] = estimate.interval().map(Similarity::value);
            format!("about {:.2} ({low:.2} to {high:.2})", estimate.similarity().value())
        }
        Score::Hamming(distance) => several(distance, "bit"),
    }
}
