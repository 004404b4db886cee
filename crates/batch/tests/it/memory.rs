//! Jobs over sources in memory: the same results as over files of the same texts, returned in place of lists.

use lookalike::{Measure, Method, Options, Plan};
use lookalike_batch::{
    Against, CountFrequencies, Dedup, Error, Job, ListOutput, Pairs, Similar, WriteSketches,
};
use lookalike_corpus::{Inputs, Rank, Texts, UnreadableText};
use lookalike_engine::progress::{Advance, Monitor, Observer, Unit};
use lookalike_engine::request::{Keep, Request};
use lookalike_report::{Details, ReturnedDecisions};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Texts of which every third repeats an earlier one, with a word more or less.
fn texts() -> Vec<String> {
    let text = |seed: usize| (0..20).map(|word| format!("w{seed}x{word}")).collect::<Vec<_>>().join(" ");
    (0..60).map(|row| if row % 3 == 2 { text(row / 2) + " more" } else { text(row) }).collect()
}

fn write(path: &Path, texts: &[String]) -> String {
    let lines = texts.iter().map(|text| serde_json::json!({ "text": text }).to_string() + "\n");
    std::fs::write(path, lines.collect::<String>()).unwrap();
    path.to_str().unwrap().to_owned()
}

fn plan() -> Plan {
    Options { threshold: Some(0.7), ..Options::default() }.plan().unwrap()
}

fn held(name: &str, texts: impl Texts + 'static) -> Job {
    Job { held: Inputs::of_texts(name, texts), threads: 2, ..Job::new(Vec::new(), plan()) }
}

fn decisions(dedup: &Dedup) -> ReturnedDecisions {
    let monitor = Monitor::default();
    dedup.run(&monitor).unwrap().publish(&monitor).unwrap().decisions.unwrap()
}

/// The stages of a run.
#[derive(Debug, Default)]
struct Stages(Mutex<Vec<&'static str>>);

struct Unwatched;

impl Advance for Unwatched {
    fn advance(&self, _: u64) {}
}

impl Observer for Stages {
    fn begin(&self, stage: &'static str, _: Unit, _: Option<u64>) -> Box<dyn Advance> {
        self.0.lock().unwrap().push(stage);
        Box::new(Unwatched)
    }

    fn note(&self, _: &str) {}
}

/// Long texts: a family of 300 that differ in a few words, chains of which only neighbours are similar, copies, and others.
fn long_texts() -> Vec<String> {
    let words = |seed: usize, len: usize| (0..len).map(move |word| format!("s{seed}w{word}"));
    let text = |row: usize| {
        let (kind, seed) = (row % 5, row / 5);
        let text: Vec<String> = match kind {
            0 => words(1_000_000, 300).chain([format!("own{row}")]).collect(),
            // Each text of a chain begins a sixth later than the one before.
            1 => words(seed / 7, 900).skip(seed % 7 * 70).take(420).collect(),
            2 => words(2_000_000 + seed % 40, 400).collect(),
            3 => words(3_000_000 + seed / 3, 500)
                .chain((0..seed % 3).map(|more| format!("more{more}")))
                .collect(),
            _ => words(4_000_000 + row, 300).collect(),
        };
        text.join(" ")
    };
    (0..1500).map(text).collect()
}

/// Every member with the document that is kept for it.
fn members(decided: &ReturnedDecisions) -> Vec<(u32, u32)> {
    decided.decisions.clusters().flat_map(|cluster| cluster.decisions()).collect()
}

#[test]
fn decisions_are_those_of_a_file_with_the_same_texts() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(&folder.path().join("in.jsonl"), &texts());
    let details = Some(Details { reasons: true, ids: true });
    let of_file = Dedup { returned: details, ..Dedup::new(Job::new(vec![file.clone()], plan())) };
    let of_memory = Dedup { returned: details, ..Dedup::new(held("memory", texts())) };
    let (of_file, of_memory) = (decisions(&of_file), decisions(&of_memory));
    assert!(members(&of_file).len() > 10);
    assert_eq!(members(&of_file), members(&of_memory));
    assert_eq!((of_memory.documents, of_memory.first_new), (60, 0));
    assert_eq!(of_file.ids[0].0, format!("{file}:2"));
    assert_eq!(of_memory.ids[0].0, "memory:2");
    assert_eq!(of_memory.ids[1].1.as_deref(), Some("memory:2"));
}

#[test]
fn a_search_in_parts_decides_and_reports_like_one_with_all_features() {
    let options = Options { threshold: Some(0.7), method: Some(Method::MinHash), ..Options::default() };
    let run = |part_bytes: u64, threads: usize, keep: Keep, against: usize| {
        let mut job = held("new", long_texts()[against..].to_vec());
        job.threads = threads;
        job.audit = 50;
        job.request = Request { part_bytes, ..Request::new(options.plan().unwrap()) };
        let held = Inputs::of_texts("seen", long_texts()[..against].to_vec());
        let against = Against { held, ..Against::default() };
        let dedup = Dedup { against, keep, returned: Some(Details::default()), ..Dedup::new(job) };
        let stages = Arc::new(Stages::default());
        let monitor = Monitor { observer: Some(stages.clone()), ..Monitor::default() };
        let mut summary = dedup.run(&monitor).unwrap().publish(&monitor).unwrap();
        let members = members(&summary.decisions.take().unwrap());
        let mut summary = serde_json::to_value(&summary).unwrap();
        summary["monitoring"]["compared_per_second"].take();
        for measured in ["seconds", "peak_memory_bytes"] {
            summary[measured].take();
        }
        let read_again = stages.0.lock().unwrap().iter().filter(|&&stage| stage == "read again").count();
        (read_again, members, summary)
    };
    for (keep, against) in [(Keep::First, 0), (Keep::Longest, 0), (Keep::None, 0), (Keep::First, 400)] {
        let (read_again, members, summary) = run(u64::MAX, 2, keep.clone(), against);
        // Once for the comparison, and once for the audit.
        assert_eq!(read_again, 2);
        assert!(members.len() > 900 && summary["loose_clusters"].as_u64() > Some(20), "{summary}");
        for threads in [1, 3] {
            let in_parts = run(0, threads, keep.clone(), against);
            assert!(in_parts.0 > 4, "{} parts", in_parts.0);
            assert_eq!(in_parts.1, members);
            assert_eq!(in_parts.2, summary);
        }
    }
}

#[test]
fn decisions_are_explained_without_another_search() {
    let measures = [Measure::Jaccard, Measure::Cosine, Measure::Containment].map(|measure| Options {
        threshold: Some(0.7),
        measure: Some(measure),
        ..Options::default()
    });
    let fingerprints = Options { method: Some(Method::SimHash), ..Options::default() };
    let exact = Options { method: Some(Method::Exact), ..measures[0].clone() };
    for options in measures.into_iter().chain([fingerprints, exact]) {
        for (keep, min_containment, part_bytes) in
            [(Keep::First, None, 0), (Keep::Longest, Some(0.9), u64::MAX), (Keep::None, None, u64::MAX)]
        {
            if min_containment.is_some() && options.method == Some(Method::SimHash) {
                continue;
            }
            let dedup = |details| {
                let mut job = held("new", long_texts()[300..].to_vec());
                job.request = Request { part_bytes, ..Request::new(options.clone().plan().unwrap()) };
                let against = Against {
                    held: Inputs::of_texts("seen", long_texts()[..300].to_vec()),
                    ..Against::default()
                };
                Dedup {
                    against,
                    keep: keep.clone(),
                    min_containment,
                    returned: Some(details),
                    ..Dedup::new(job)
                }
            };
            let folder = tempfile::tempdir().unwrap();
            let report = Some(folder.path().join("report.html"));
            let with_reasons = Dedup { report, ..dedup(Details { reasons: true, ids: true }) };
            let mut done = with_reasons.run(&Monitor::default()).unwrap();
            done.write_report("", &Monitor::default()).unwrap();
            let mut summary = done.publish(&Monitor::default()).unwrap();
            let (expected, findings) = (summary.decisions.take().unwrap(), summary.findings.unwrap());
            let decided = decisions(&dedup(Details::default()));
            let stages = Arc::new(Stages::default());
            let monitor = Monitor { observer: Some(stages.clone()), ..Monitor::default() };
            let explained = with_reasons.explain_decided(&decided, &monitor).unwrap();
            let explained = explained.publish(&monitor).unwrap();
            assert_eq!(format!("{:?}", explained.findings.unwrap()), format!("{findings:?}"), "{options:?}");
            let explained = explained.decisions;
            let stages = stages.0.lock().unwrap().clone();
            assert!(
                stages.iter().all(|stage| ["sketch", "read again", "explain", "examples"].contains(stage)),
                "{stages:?}"
            );
            assert!(expected.decisions.removed() > 100 && expected.ids == explained.ids);
            for cluster in 0..expected.decisions.len() {
                let reasons = |of: &ReturnedDecisions| {
                    of.reasons.of_cluster(&of.decisions, cluster).collect::<Vec<_>>()
                };
                assert_eq!(reasons(&explained), reasons(&expected), "{options:?}");
            }
            for document in 0..expected.documents {
                assert_eq!(explained.uncovered_text.with(document), expected.uncovered_text.with(document));
            }
        }
    }
}

#[test]
fn decisions_about_other_texts_are_not_explained() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(&folder.path().join("in.jsonl"), &texts());
    let dedup = Dedup { returned: Some(Details::default()), ..Dedup::new(Job::new(vec![file], plan())) };
    let decided = decisions(&dedup);
    let mut changed = texts();
    changed[7] = "another text altogether".to_owned();
    write(&folder.path().join("in.jsonl"), &changed);
    let error = dedup.explain_decided(&decided, &Monitor::default()).err().unwrap();
    assert!(matches!(error, Error::OtherDocuments), "{error}");
}

#[test]
fn texts_in_memory_are_compared_against_files_and_memory() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(&folder.path().join("seen.jsonl"), &texts()[..30]);
    let of = |against: Against| {
        let returned = Some(Details::default());
        decisions(&Dedup { against, returned, ..Dedup::new(held("new", texts()[30..].to_vec())) })
    };
    let by_file = of(Against { inputs: vec![file], ..Against::default() });
    let by_memory =
        of(Against { held: Inputs::of_texts("seen", texts()[..30].to_vec()), ..Against::default() });
    assert_eq!((by_file.first_new, by_memory.first_new), (30, 30));
    assert_eq!(members(&by_file), members(&by_memory));
    assert!(by_memory.decisions.removed() > 0);
}

struct Scored(Vec<(String, Option<f64>)>);

impl Texts for Scored {
    fn rows(&self) -> usize {
        self.0.len()
    }

    fn length(&self, row: usize) -> u64 {
        self.0[row].0.len() as u64
    }

    fn texts<'t>(
        &'t self,
        rows: &[usize],
        _: &'t mut Vec<u8>,
    ) -> Result<Vec<Option<&'t str>>, UnreadableText> {
        Ok(rows.iter().map(|&row| Some(self.0[row].0.as_str())).collect())
    }

    fn number(&self, row: usize) -> Option<Rank> {
        self.0[row].1.and_then(Rank::of_float)
    }
}

#[test]
fn the_policy_may_rank_rows_by_their_numbers() {
    let text = "one two three four five six seven".to_owned();
    let scored =
        |numbers: &[Option<f64>]| Scored(numbers.iter().map(|&number| (text.clone(), number)).collect());
    let keep = Keep::Max("score".to_owned());
    let returned = Some(Details::default());
    let job = held("scored", scored(&[Some(1.0), None, Some(3.0), Some(2.0)]));
    let decided = decisions(&Dedup { keep: keep.clone(), returned, ..Dedup::new(job) });
    assert_eq!(members(&decided), [(0, 2), (1, 2), (2, 2), (3, 2)]);
    let without = Dedup { keep, ..Dedup::new(held("scored", scored(&[None]))) };
    assert!(matches!(without.run(&Monitor::default()).err().unwrap(), Error::NoNumber { .. }));
}

#[test]
fn lists_are_returned() {
    let monitor = Monitor::default();
    let output = ListOutput::Returned { ids: true };
    let pairs = Pairs { job: held("memory", texts()), output: output.clone(), limit: None, report: None };
    let pairs = pairs.run(&monitor).unwrap().publish(&monitor).unwrap().returned.unwrap();
    assert!(pairs.pairs.len() > 5);
    assert_eq!(pairs.ids[0], [pairs.pairs[0].a, pairs.pairs[0].b].map(|row| format!("memory:{}", row + 1)));

    let (job, query) = (held("memory", texts()), texts()[7].clone());
    let similar = Similar { job, query, count: 3, within: None, output: output.clone() };
    let similar = similar.run(&monitor).unwrap().publish(&monitor).unwrap().returned.unwrap();
    assert_eq!((similar[0].row, similar[0].id.as_str()), (7, "memory:8"));

    let sketches = WriteSketches { job: held("memory", vec!["some words", ""]), output, hashes: None };
    let sketches = sketches.run(&monitor).unwrap().publish(&monitor).unwrap().returned.unwrap();
    assert_eq!(sketches.signatures.len(), 2 * plan().num_perm());
    assert_eq!(
        (sketches.has_features.as_slice(), sketches.ids[1].as_str()),
        ([true, false].as_slice(), "memory:2")
    );
}

#[test]
fn more_pairs_than_the_limit_are_an_error_with_their_number() {
    let job = held("copies", vec!["one two three four five six"; 100]);
    let pairs = Pairs { job, output: ListOutput::Returned { ids: false }, limit: Some(1000), report: None };
    let error = pairs.run(&Monitor::default()).err().unwrap();
    assert_eq!(error.to_string(), "the documents make 4,950 pairs or more, and the limit is 1,000");
}

#[test]
fn frequencies_with_all_features_can_be_merged() {
    let monitor = Monitor::default();
    let table = |texts: Vec<String>| {
        let frequencies = CountFrequencies { job: held("memory", texts), output: None, least: 1 };
        frequencies.run(&monitor).unwrap().publish(&monitor).unwrap().table
    };
    let (whole, mut left, right) =
        (table(texts()), table(texts()[..20].to_vec()), table(texts()[20..].to_vec()));
    std::sync::Arc::make_mut(&mut left).merge(&right).unwrap();
    assert_eq!((left.id(), left.documents()), (whole.id(), 60));
}
