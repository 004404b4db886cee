//! Tests that an executor stops every task on the way, whenever it likes.

use lookalike::hash::SplitMix64;
use lookalike::search::{ExactJoin, Families, FamilyJoin, GroupedSets, HammingJoin, HammingJoinError};
use lookalike::{Corpus, Executor, Measure, Method, Options, Plan};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Stops a task at its check number `most`. Its width is that of one thread, so that parts are long.
struct StopsAt {
    most: usize,
    checks: AtomicUsize,
}

#[derive(Debug, PartialEq)]
struct Stopped;

impl Executor for StopsAt {
    type Stopped = Stopped;

    fn width(&self) -> usize {
        1
    }

    fn map<T: Send>(&self, parts: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
        (0..parts).map(work).collect()
    }

    fn check(&self) -> Result<(), Stopped> {
        if self.checks.fetch_add(1, Ordering::Relaxed) < self.most { Ok(()) } else { Err(Stopped) }
    }
}

/// Documents that are checked at least once in each pass, whatever the number of threads.
const DOCUMENTS: usize = 20_000;

/// Runs `task`, and stops it at each of its checks. It must have `least` checks.
fn stop_everywhere<T>(name: &str, least: usize, task: impl Fn(&StopsAt) -> Result<T, Stopped>) {
    let stops_at = |most| StopsAt { most, checks: AtomicUsize::new(0) };
    let never = stops_at(usize::MAX);
    assert!(task(&never).is_ok(), "{name}");
    let checks = never.checks.into_inner();
    assert!(checks >= least, "{name}: {checks} checks");
    for most in (0..checks).step_by(checks.div_ceil(20)) {
        let stops = stops_at(most);
        assert!(task(&stops).is_err(), "{name} goes on after check {most} of {checks}");
    }
}

/// Sets of a template and some features of their own.
fn sets() -> Vec<Vec<u64>> {
    let mut generator = SplitMix64(13);
    let template: Vec<u64> = (0..20).map(|_| generator.next()).collect();
    let set = |_| template.iter().copied().chain((0..5).map(|_| generator.next() % 5_000)).collect();
    (0..DOCUMENTS).map(set).collect()
}

#[test]
fn the_exact_join_stops() {
    let sets = sets();
    let slices: Vec<&[u64]> = sets.iter().map(Vec::as_slice).collect();
    let grouped = GroupedSets::from(slices.clone());
    stop_everywhere("partners", DOCUMENTS / 4096, |executor| {
        ExactJoin::may_have_partners(&grouped, Measure::Jaccard, 0.7, executor)
    });
    let all: Vec<u32> = (0..DOCUMENTS as u32).collect();
    stop_everywhere("join", 2 * DOCUMENTS / 4096, |executor| {
        ExactJoin::among(all.clone(), slices.clone(), Measure::Jaccard, 0.7, executor)
    });
}

#[test]
fn the_join_of_families_stops() {
    let sets = sets();
    let all: Vec<u32> = (0..DOCUMENTS as u32).collect();
    for size in [DOCUMENTS, 400] {
        let families = Families::of_buckets(DOCUMENTS, all.chunks(size));
        stop_everywhere("families", 2 * DOCUMENTS / 4096, |executor| {
            let set = |document: u32| sets[document as usize].as_slice();
            FamilyJoin::new(&families, set, Measure::Jaccard, 0.8, executor)
        });
    }
}

#[test]
fn the_join_of_fingerprints_stops() {
    let mut generator = SplitMix64(14);
    // Every code is there twice.
    let codes: Vec<u64> = (0..DOCUMENTS / 2).map(|_| generator.next()).flat_map(|code| [code; 2]).collect();
    stop_everywhere("fingerprints", DOCUMENTS / 2 / 4096, |executor| {
        HammingJoin::with_executor(&codes, 3, executor).map_err(|error| match error {
            HammingJoinError::Stopped(stopped) => stopped,
            HammingJoinError::TooFar(error) => panic!("{error}"),
        })
    });
    let executor = StopsAt { most: usize::MAX, checks: AtomicUsize::new(0) };
    let error = HammingJoin::with_executor(&codes, 13, &executor).unwrap_err();
    assert_eq!(error.to_string(), "distance is 13; it must be at most 12");
}

#[test]
fn a_corpus_stops_and_is_as_it_was() {
    let texts: Vec<String> = (0..6_000).map(|text| format!("document {} of some", text / 3)).collect();
    let plan = |method| -> Plan { Options { method: Some(method), ..Options::default() }.plan().unwrap() };
    for method in [Method::MinHash, Method::SimHash, Method::Exact] {
        let plan = plan(method);
        stop_everywhere("extend", 2, |executor| {
            let mut corpus = Corpus::new(&plan);
            let extended = corpus.extend(&texts, executor);
            assert_eq!(corpus.len(), extended.as_ref().map_or(0, |_| texts.len()));
            extended
        });
        let mut corpus = Corpus::new(&plan);
        let Ok(_) = corpus.extend(&texts, &lookalike::Sequential);
        stop_everywhere("pairs", 3, |executor| corpus.pairs_on(executor));
        stop_everywhere("clusters", 3, |executor| corpus.clusters_on(executor));
    }
}
