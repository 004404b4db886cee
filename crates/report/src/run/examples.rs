//! Examples: two texts side by side, alone or with their cluster.

use super::IdStart;
use super::excerpt::Excerpt;
use crate::marked::{MarkedText, PassageSide};
use lookalike::compare::Passages;

/// Examples of one kind.
#[derive(Clone, Debug)]
pub(crate) struct ExamplesOfPage<'a> {
    /// What they are examples of.
    pub kind: ExampleKind,
    /// The examples.
    pub examples: Vec<ExampleOfPage<'a>>,
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

/// A pair, or a cluster with one of its pairs.
#[derive(Clone, Debug)]
pub(crate) struct ExampleOfPage<'a> {
    /// The pair.
    pub pair: PairOfPage<'a>,
    /// The cluster that the pair stands for.
    pub cluster: Option<ClusterOfPage<'a>>,
}

/// A cluster as the page shows it.
#[derive(Clone, Debug)]
pub(crate) struct ClusterOfPage<'a> {
    /// How many documents it has.
    pub documents: u64,
    /// How many of them were removed.
    pub removed: u64,
    /// The mean similarity of removed documents to the kept one.
    pub mean: String,
    /// Some of the removed documents.
    pub members: Vec<MemberOfPage<'a>>,
}

/// A removed document as it is listed.
#[derive(Clone, Debug)]
pub(crate) struct MemberOfPage<'a> {
    /// Its id.
    pub id: &'a str,
    /// How similar it is to the kept one.
    pub score: String,
}

/// Two documents side by side.
#[derive(Clone, Debug)]
pub(crate) struct PairOfPage<'a> {
    /// The number of their cluster, if clusters are numbered.
    pub cluster: Option<u64>,
    /// The documents.
    pub texts: [TextOfPage<'a>; 2],
    /// What the run did with them.
    pub roles: RolesOfPair,
    /// How similar they are.
    pub score: String,
    /// The share of the second text that the first contains, if it is known.
    pub containment: Option<String>,
    /// What they share.
    pub passages: &'a Passages,
}

/// What a run did with the documents of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RolesOfPair {
    /// The first was kept, the second removed.
    KeptAndRemoved,
    /// Both were removed, since nothing of their cluster is kept.
    BothRemoved,
    /// They were listed; the columns of the list are called `a` and `b`.
    Listed,
}

/// A text as the page shows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextOfPage<'a> {
    /// Its id.
    pub id: &'a str,
    /// The text, or its start.
    pub text: &'a str,
    /// Characters of the whole text.
    pub characters: u64,
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
    pub(super) cluster: Option<&'a ClusterOfPage<'a>>,
    pub(super) pair: &'a PairOfPage<'a>,
    pub(super) sides: [SideOfExample<'a>; 2],
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
    fn new(id: String, example: &'a ExampleOfPage<'a>) -> Self {
        let ExampleOfPage { pair, cluster } = example;
        let side = |side: PassageSide, index: usize, role| {
            let TextOfPage { id: name, text, characters } = pair.texts[index];
            SideOfExample {
                id: format!("{id}-{}", ["left", "right"][index]),
                role,
                name: IdStart(name),
                excerpt: Excerpt {
                    marked: MarkedText {
                        text,
                        side,
                        passages: &pair.passages.passages,
                        of: format!("{id}-"),
                    },
                    characters,
                },
            }
        };
        let [left, right] = match pair.roles {
            RolesOfPair::KeptAndRemoved => ["kept", "removed"],
            RolesOfPair::BothRemoved => ["removed too", "removed"],
            RolesOfPair::Listed => ["a", "b"],
        };
        let sides = [side(PassageSide::Left, 0, left), side(PassageSide::Right, 1, right)];
        ExampleHtml { id, cluster: cluster.as_ref(), pair, sides }
    }
}
