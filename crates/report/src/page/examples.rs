//! Examples as the page shows them.

use crate::findings::{ClusterExample, ExampleMember, PairExample, RemovalExample, TextExample};
use crate::numbers::several;
use crate::run::{
    ClusterOfPage, ExampleKind, ExampleOfPage, ExamplesOfPage, MemberOfPage, PairOfPage, RolesOfPair,
    TextOfPage,
};
use crate::words::percent;
use lookalike::Score;
use lookalike_engine::PlanSummary;

/// Removed documents beside the kept ones.
pub(super) fn removals(kind: ExampleKind, examples: &[RemovalExample]) -> ExamplesOfPage<'_> {
    let examples = examples.iter().map(|example| ExampleOfPage { pair: removal(example), cluster: None });
    ExamplesOfPage { kind, examples: examples.collect() }
}

/// Clusters, each with one of its pairs.
pub(super) fn clusters<'a>(
    kind: ExampleKind,
    examples: &'a [ClusterExample],
    plan: &PlanSummary,
) -> ExamplesOfPage<'a> {
    let example = |example: &'a ClusterExample| {
        let cluster = Some(cluster(plan, example));
        ExampleOfPage { pair: removal(&example.pair), cluster }
    };
    ExamplesOfPage { kind, examples: examples.iter().map(example).collect() }
}

/// Listed pairs.
pub(super) fn pairs(kind: ExampleKind, examples: &[PairExample]) -> ExamplesOfPage<'_> {
    let examples = examples.iter().map(|example| ExampleOfPage { pair: pair(example), cluster: None });
    ExamplesOfPage { kind, examples: examples.collect() }
}

fn cluster<'a>(plan: &PlanSummary, example: &'a ClusterExample) -> ClusterOfPage<'a> {
    let member = |member: &'a ExampleMember| MemberOfPage { id: &member.id, score: in_words(member.score) };
    ClusterOfPage {
        documents: example.documents,
        removed: example.removed,
        mean: match plan.measure {
            Some(_) => format!("{:.3}", example.mean),
            None => format!("{:.1} bits", example.mean),
        },
        members: example.members.iter().map(member).collect(),
    }
}

fn removal(example: &RemovalExample) -> PairOfPage<'_> {
    PairOfPage {
        cluster: Some(example.cluster),
        texts: [text(&example.kept), text(&example.removed)],
        roles: if example.stays { RolesOfPair::KeptAndRemoved } else { RolesOfPair::BothRemoved },
        score: in_words(example.score),
        containment: example.containment.map(|containment| percent(containment.value())),
        passages: &example.passages,
    }
}

fn pair(example: &PairExample) -> PairOfPage<'_> {
    PairOfPage {
        cluster: None,
        texts: example.texts.each_ref().map(text),
        roles: RolesOfPair::Listed,
        score: in_words(example.score),
        containment: None,
        passages: &example.passages,
    }
}

fn text(TextExample { id, text, characters }: &TextExample) -> TextOfPage<'_> {
    TextOfPage { id, text, characters: *characters }
}

fn in_words(score: Score) -> String {
    match score {
        Score::Similarity(similarity) => format!("{:.4}", similarity.value()),
        Score::Hamming(distance) => several(u64::from(distance), "bit"),
    }
}
