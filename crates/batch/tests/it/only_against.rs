//! Removing only what is similar to other documents, compared with all pairs.

use crate::against::{document, rows, write};
use crate::model::{Document, LEAST, Model, SHARE, SHINGLE, THRESHOLD};
use lookalike::{Method, Options, Tokens};
use lookalike_batch::{Against, Dedup, Job};
use lookalike_engine::progress::Monitor;
use lookalike_engine::request::{AgainstContainment, ClusterShape, Keep};
use lookalike_report::DedupSummary;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::collections::BTreeSet;
use std::path::Path;

/// What a run is asked for beside the threshold.
#[derive(Clone, Copy, Debug)]
struct Only {
    method: Method,
    containment: bool,
    min_containment: Option<f64>,
}

fn only() -> impl Strategy<Value = Only> {
    let method = prop::sample::select(vec![Method::Exact, Method::MinHash]);
    (method, any::<bool>(), prop::option::of(Just(0.9)))
        .prop_map(|(method, containment, min_containment)| Only { method, containment, min_containment })
}

/// The run, which writes `out.jsonl`, `removed.tsv` and `clusters.tsv`.
fn run(folder: &Path, model: &Model, only: Only, threads: usize) -> DedupSummary {
    let options = Options {
        threshold: Some(THRESHOLD),
        shingle: Some(SHINGLE),
        tokens: Some(Tokens::Words),
        method: Some(only.method),
        // A band of one value is shared by nearly every similar pair.
        bands: (only.method == Method::MinHash).then_some(128),
        rows: (only.method == Method::MinHash).then_some(1),
        ..Options::default()
    };
    let path = |name: &str| folder.join(name);
    let inputs = vec![write(&path("in.jsonl"), model, model.against..model.documents.len())];
    let containment = AgainstContainment { share: SHARE, least_features: LEAST as u32 };
    let job = Job { threads, ..Job::new(inputs, options.plan().unwrap()) };
    let dedup = Dedup {
        against: Against {
            inputs: vec![write(&path("against.jsonl"), model, 0..model.against)],
            containment: only.containment.then_some(containment),
            ..Against::default()
        },
        keep: Keep::First,
        clustering: ClusterShape::Against,
        min_containment: only.min_containment,
        output: Some(path("out.jsonl")),
        removed: Some(path("removed.tsv")),
        clusters: Some(path("clusters.tsv")),
        ..Dedup::new(job)
    };
    dedup.run(&Monitor::default()).unwrap().publish(&Monitor::default()).unwrap()
}

/// The document of `--against` that an input is removed for, by comparing it with all of them: the one that contains the most of it or is
/// contained the most, or else a copy, or else the first similar one.
fn removed_for(model: &Model, only: Only, input: usize) -> Option<usize> {
    let takes = |&seen: &usize| {
        let is_contained = |least| model.containment(input, seen) >= least;
        model.jaccard(input, seen) >= THRESHOLD && only.min_containment.is_none_or(is_contained)
    };
    let contained = model.contained(input).filter(|_| only.containment);
    let copy = (0..model.against).find(|&seen| model.jaccard(input, seen) >= 1.0);
    contained.or(copy).or_else(|| (0..model.against).find(takes))
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn exactly_the_documents_go_that_are_similar_to_one_of_the_others(
        against in prop::collection::vec(document(), 0..8),
        inputs in prop::collection::vec(document(), 0..14),
        only in only(),
    ) {
        let first_new = against.len();
        let model = Model::new(against.into_iter().chain(inputs).collect(), first_new);
        let folder = tempfile::tempdir().unwrap();
        let summary = run(folder.path(), &model, only, 1);
        let lists = ["out.jsonl", "removed.tsv", "clusters.tsv"];
        let read = || lists.map(|name| std::fs::read_to_string(folder.path().join(name)).unwrap());
        let written = read();
        run(folder.path(), &model, only, 2);
        prop_assert_eq!(&read(), &written);

        let number = |cell: &String| cell.parse::<usize>().unwrap();
        let expected: Vec<(usize, usize)> = (first_new..model.documents.len())
            .filter_map(|input| Some((input, removed_for(&model, only, input)?)))
            .collect();
        let mut removed: Vec<(usize, usize)> =
            rows(&folder.path().join("removed.tsv")).iter().map(|row| (number(&row[0]), number(&row[1]))).collect();
        removed.sort_unstable();
        prop_assert_eq!(&removed, &expected);
        let kept = written[0].lines().count();
        prop_assert_eq!(kept + removed.len(), model.documents.len() - first_new);
        prop_assert_eq!((summary.removal.kept, summary.removal.removed), (kept as u64, removed.len() as u64));
        prop_assert_eq!(summary.against.unwrap().removed, removed.len() as u64);
        prop_assert_eq!(summary.removal.loose_clusters, 0);

        // A cluster has documents of `--against`, which stay, and what is removed for them.
        let clusters = rows(&folder.path().join("clusters.tsv"));
        let members: BTreeSet<usize> = clusters.iter().map(|row| number(&row[0])).filter(|&member| member >= first_new).collect();
        prop_assert_eq!(members, removed.iter().map(|&(input, _)| input).collect::<BTreeSet<usize>>());
        for row in &clusters {
            prop_assert_eq!(row[2] == "true", number(&row[0]) < first_new);
        }
    }
}

#[test]
fn inputs_that_are_similar_to_each_other_stay_and_no_chain_removes_one() {
    let words = |range: std::ops::Range<usize>| range.map(|word| format!("w{word}")).collect::<Vec<String>>();
    let document = |range| Document { words: words(range), score: None };
    // Each is similar to the one before it, and the last two are copies.
    let chain = [0..40, 6..46, 12..52, 18..58, 18..58].map(document);
    let model = Model::new(chain.to_vec(), 1);
    assert!((0..4).all(|a| model.jaccard(a, a + 1) >= THRESHOLD) && model.jaccard(0, 2) < THRESHOLD);
    let folder = tempfile::tempdir().unwrap();
    for method in [Method::Exact, Method::MinHash] {
        let only = Only { method, containment: false, min_containment: None };
        let summary = run(folder.path(), &model, only, 2);
        assert_eq!((summary.removal.kept, summary.removal.removed, summary.found.clusters), (3, 1, 1));
        let removed = rows(&folder.path().join("removed.tsv"));
        assert_eq!((removed[0][0].as_str(), removed[0][1].as_str()), ("1", "0"));
    }
}
