//! Comparing inputs against other documents, beside what it means by definition.

use crate::model::{Asked, Document, LEAST, Model, Preference, SHARE, SHINGLE, THRESHOLD};
use lookalike::{Method, Options, Tokens};
use lookalike_batch::{Against, Dedup, Job};
use lookalike_corpus::{AgainstFields, Inputs};
use lookalike_engine::progress::Monitor;
use lookalike_engine::request::{AgainstContainment, ClusterShape, Keep, Request};
use lookalike_report::DedupSummary;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::fmt::Write as _;
use std::path::Path;

/// A few passages in a row, each with at most one word replaced, so that texts repeat, resemble and contain each other.
pub(crate) fn document() -> impl Strategy<Value = Document> {
    let passages = prop::collection::vec((0_usize..4, 2_usize..7), 0..4);
    let edit = prop::option::weighted(0.3, 0_usize..12);
    (passages, edit, prop::option::of(0_u32..3)).prop_map(|(passages, edit, score)| {
        let passage = |(passage, length): (usize, usize)| (0..length).map(move |i| format!("p{passage}w{i}"));
        let mut words: Vec<String> = passages.into_iter().flat_map(passage).collect();
        if let Some(word) = edit.and_then(|place| words.get_mut(place)) {
            *word = "edited".to_owned();
        }
        Document { words, score }
    })
}

fn asked() -> impl Strategy<Value = Asked> {
    let preference = prop::sample::select(vec![
        Preference::First,
        Preference::Last,
        Preference::Longest,
        Preference::Max,
        Preference::Count(2),
        Preference::None,
    ]);
    let least = prop::option::of(Just(0.9));
    (preference, any::<bool>(), any::<bool>(), least).prop_map(|(preference, star, containment, least)| {
        let least = least.filter(|_| !matches!(preference, Preference::None));
        Asked { preference, star, containment, min_containment: least }
    })
}

/// Writes documents from one number to before another; their ids are their numbers.
pub(crate) fn write(path: &Path, model: &Model, range: std::ops::Range<usize>) -> String {
    let mut lines = String::new();
    for id in range {
        let document = &model.documents[id];
        let score = document.score.map(|score| format!(",\"score\":{score}")).unwrap_or_default();
        writeln!(lines, "{{\"id\":\"{id}\",\"text\":\"{}\"{score}}}", document.words.join(" ")).unwrap();
    }
    std::fs::write(path, lines).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The lines of a table, cut into cells, without the header.
pub(crate) fn rows(path: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// What a run says and writes: the removed documents, the clusters, the ids of the kept ones.
#[derive(Debug, PartialEq)]
struct Written {
    removed: Vec<Vec<String>>,
    clusters: Vec<Vec<String>>,
    kept: Vec<usize>,
}

fn run(folder: &Path, model: &Model, asked: Asked, threads: usize) -> (Written, DedupSummary) {
    let options = Options {
        threshold: Some(THRESHOLD),
        shingle: Some(SHINGLE),
        tokens: Some(Tokens::Words),
        method: Some(Method::Exact),
        ..Options::default()
    };
    let path = |name: &str| folder.join(name);
    let inputs = vec![write(&path("in.jsonl"), model, model.against..model.documents.len())];
    let plan = options.plan().unwrap();
    let job = Job {
        request: Request { features_bytes: 0, ..Request::new(plan.clone()) },
        audit: model.documents.len() as u64,
        threads,
        ..Job::new(inputs, plan)
    };
    let containment = AgainstContainment { share: SHARE, least_features: LEAST as u32 };
    let has_scores = model.documents[model.against..].iter().any(|document| document.score.is_some());
    let summary = Dedup {
        job,
        against: Against {
            index: None,
            held: Inputs::default(),
            fields: AgainstFields::default(),
            inputs: vec![write(&path("against.jsonl"), model, 0..model.against)],
            containment: asked.containment.then_some(containment),
        },
        keep: match asked.preference {
            Preference::Last => Keep::Last,
            Preference::Longest => Keep::Longest,
            Preference::Max if has_scores => Keep::Max("score".to_owned()),
            Preference::Count(most) => Keep::Count(most.try_into().unwrap()),
            Preference::None => Keep::None,
            Preference::First | Preference::Max => Keep::First,
        },
        clustering: if asked.star { ClusterShape::Star } else { ClusterShape::Union },
        min_containment: asked.min_containment,
        output: Some(path("out.jsonl")),
        annotate: false,
        removed: Some(path("removed.tsv")),
        clusters: Some(path("clusters.tsv")),
        report: None,
        returned: None,
    }
    .run(&Monitor::default())
    .unwrap()
    .publish(&Monitor::default())
    .unwrap();
    let out = std::fs::read_to_string(path("out.jsonl")).unwrap();
    let id = |line: &str| line.split('"').nth(3).unwrap().parse().unwrap();
    let written = Written {
        removed: rows(&path("removed.tsv")),
        clusters: rows(&path("clusters.tsv")),
        kept: out.lines().map(id).collect(),
    };
    (written, summary)
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_goes_and_for_what_is_as_by_definition(
        against in prop::collection::vec(document(), 0..8),
        inputs in prop::collection::vec(document(), 0..14),
        asked in asked(),
    ) {
        let first_new = against.len();
        let mut model = Model::new(against.into_iter().chain(inputs).collect(), first_new);
        if model.documents[first_new..].iter().all(|document| document.score.is_none()) {
            model.documents.iter_mut().for_each(|document| document.score = None);
        }
        let folder = tempfile::tempdir().unwrap();
        let (written, summary) = run(folder.path(), &model, asked, 1);
        prop_assert_eq!(&run(folder.path(), &model, asked, 2).0, &written);

        let kept = model.kept(asked);
        let number = |cell: &String| cell.parse::<usize>().unwrap();
        let instead = |cell: &String| (!cell.is_empty()).then(|| number(cell));
        let mut removed: Vec<(usize, Option<usize>)> =
            written.removed.iter().map(|row| (number(&row[0]), instead(&row[1]))).collect();
        removed.sort_unstable();
        let of_model = (0..).zip(&kept).filter(|&(document, &kept)| document != kept);
        // Only what is kept is named.
        let named = |instead: usize| Some(instead).filter(|&instead| kept[instead] == instead);
        let expected: Vec<(usize, Option<usize>)> =
            of_model.map(|(document, &kept)| (document, named(kept))).collect();
        prop_assert_eq!(&removed, &expected);
        let stay: Vec<usize> = (first_new..kept.len()).filter(|&document| kept[document] == document).collect();
        prop_assert_eq!(&written.kept, &stay);

        let mut contained = 0;
        for row in &written.removed {
            let document = number(&row[0]);
            let instead = kept[document];
            prop_assert_eq!(&row[3], &format!("{:.6}", model.jaccard(document, instead)));
            prop_assert_eq!(&row[4], &format!("{:.6}", model.containment(document, instead)));
            let share = asked.containment.then(|| match model.contained(document) {
                Some(instead) => format!("{:.6}", model.share(document, instead)),
                None => String::new(),
            });
            contained += u64::from(share.as_ref().is_some_and(|share| !share.is_empty()));
            prop_assert_eq!(row.get(7), share.as_ref());
        }
        for row in &written.clusters {
            let document = number(&row[0]);
            prop_assert_eq!(row[2] == "true", kept[document] == document);
            let beside = written.clusters.iter().find(|row| number(&row[0]) == kept[document]);
            prop_assert_eq!(&beside.unwrap()[1], &row[1], "a document is in the cluster of the one that is kept for it");
        }

        prop_assert_eq!(summary.read.documents, (kept.len() - first_new) as u64);
        prop_assert_eq!((summary.removal.kept, summary.removal.removed), (stay.len() as u64, removed.len() as u64));
        let told = summary.against.unwrap();
        prop_assert_eq!(told.documents, first_new as u64);
        prop_assert_eq!(told.removed, removed.iter().filter(|(_, kept)| kept.is_some_and(|kept| kept < first_new)).count() as u64);
        prop_assert_eq!(told.contained, asked.containment.then_some(contained));
        let short = (0..first_new).filter(|&document| model.is_short(document)).count() as u64;
        prop_assert_eq!(told.short, asked.containment.then_some(short));
        // An audit of all documents: what goes for another reason hides no pair that was found.
        prop_assert!(summary.recall.audit.is_none_or(|audit| audit.found == audit.partners));
    }
}
