//! What `auto` chooses, and that it changes nothing but what is missed.

use lookalike::{Options, Plan};
use lookalike_batch::{Job, ListOutput, Pairs};
use lookalike_engine::progress::Monitor;
use lookalike_engine::request::{Affordable, Request};
use lookalike_report::PairsSummary;
use std::fmt::Write as _;
use std::path::Path;

/// Texts that all have three quarters of their words in common, with copies, and empty ones between.
fn templates(folder: &Path) -> String {
    let mut lines = String::new();
    for document in 0..120 {
        let text = match document % 10 {
            0 => String::new(),
            1 => words(1),
            _ => words(document),
        };
        writeln!(lines, "{{\"id\":\"{document}\",\"text\":\"{text}\"}}").unwrap();
    }
    let path = folder.join("in.jsonl");
    std::fs::write(&path, lines).unwrap();
    path.to_str().unwrap().to_owned()
}

fn words(document: usize) -> String {
    let word = |place: usize| match place % 4 {
        3 => format!("own{}x{place}", document % 40),
        _ => format!("all{place}"),
    };
    (0..80).map(word).collect::<Vec<_>>().join(" ")
}

/// MinHash with so many rows a band: with one, nothing is missed.
fn plan(rows: usize) -> Plan {
    let options = Options { threshold: Some(0.5), shingle: Some(1), rows: Some(rows), ..Options::default() };
    options.plan().unwrap()
}

fn run(folder: &Path, plan: Plan, auto: Option<Affordable>, features_bytes: u64) -> (String, PairsSummary) {
    let output = folder.join("out.tsv");
    let inputs = vec![templates(folder)];
    let request = Request { auto, features_bytes, ..Request::new(plan.clone()) };
    let job = Job { request, threads: 2, ..Job::new(inputs, plan) };
    let summary = Pairs { job, output: ListOutput::File(output.clone()), limit: None, report: None }
        .run(&Monitor::default())
        .unwrap();
    let summary = summary.publish(&Monitor::default()).unwrap();
    (std::fs::read_to_string(output).unwrap(), summary)
}

const ROOM: u64 = 1 << 20;

#[test]
fn the_method_that_has_less_to_look_at_is_taken_and_finds_what_it_finds_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (all, exact) = run(folder.path(), plan(1).exactly().unwrap(), None, ROOM);
    assert!(all.lines().count() > 1000);
    assert_eq!(exact.plan.method, "exact");
    assert_eq!(run(folder.path(), plan(1), None, ROOM).0, all);
    let (some, _) = run(folder.path(), plan(60), None, ROOM);
    assert!(some.lines().count() < all.lines().count());

    let all_is_affordable = Affordable { features: u64::MAX, visits: u64::MAX };
    let in_doubt = Affordable { visits: 0, ..all_is_affordable };
    let too_many = Affordable { features: 1, ..all_is_affordable };
    for (rows, affordable, pairs, method, reason) in [
        (60, all_is_affordable, &all, "exact", " features): exact search takes "),
        // Bands of one row have as much to look at as the join.
        (1, in_doubt, &all, "exact", " features): exact search takes "),
        (60, in_doubt, &some, "minhash", "exact search would read "),
        (60, too_many, &some, "minhash", " features): exact search takes "),
    ] {
        let (found, summary) = run(folder.path(), plan(rows), Some(affordable), ROOM);
        assert_eq!((&found, summary.plan.method), (pairs, method));
        assert!(summary.plan.reason.as_ref().unwrap().contains(reason), "{:?}", summary.plan.reason);
    }
}

#[test]
fn exact_search_does_the_same_whatever_features_were_kept() {
    let folder = tempfile::tempdir().unwrap();
    let exact = || plan(1).exactly().unwrap();
    let (kept, first) = run(folder.path(), exact(), None, 1 << 30);
    for room in [0, 5_000, 50_000] {
        let (read_again, summary) = run(folder.path(), exact(), None, room);
        assert_eq!(read_again, kept, "{room}");
        assert_eq!(
            (summary.found.candidates, summary.found.monitoring.compared),
            (first.found.candidates, first.found.monitoring.compared)
        );
    }
}
