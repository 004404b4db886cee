//! An interrupt stops the search between two scans.

use lookalike::{Method, Options, Weights};
use lookalike_corpus::{Fields, Inputs};
use lookalike_engine::Error;
use lookalike_engine::clock::Clock;
use lookalike_engine::documents::Scanned;
use lookalike_engine::documents::sketch;
use lookalike_engine::progress::Monitor;
use lookalike_engine::request::{Keep, Request};
use lookalike_engine::search::Sketched;
use lookalike_engine::search::{LoadedSearch, MarkedSearch};
use lookalike_engine::work::Work;

/// Runs the search, and interrupts it before its features are loaded or before its families are joined.
fn interrupted(method: Method, before_features: bool) -> Result<(), Error> {
    // One bucket of 600, which is a family.
    let texts: Vec<String> = (0..600).map(|text| format!("a b c d e f g h i j k l m n {text}")).collect();
    let inputs = Inputs::of_texts("texts", texts);
    let options =
        Options { method: Some(method), threshold: Some(0.5), shingle: Some(2), ..Options::default() };
    let request = Request::new(options.plan().unwrap());
    let fields = Fields::of_text("text");
    let (work, monitor, weights) = (Work::in_memory(), Monitor::default(), Weights::Set);
    let mut documents = sketch(&request, &inputs, &fields, &Keep::First, &weights, &work, &monitor)?;
    let kept = std::mem::take(&mut documents.kept);
    let originals = documents.sketches.originals(1);
    let scanned = Scanned { request: &request, inputs: &inputs, documents: &documents, monitor: &monitor };
    let sketched = Sketched { scanned, originals: &originals, weights: &weights, work: &work };
    if before_features {
        monitor.interrupt.set();
    }
    let mut clock = Clock::start();
    let LoadedSearch { search, features } =
        MarkedSearch::new(sketched, kept, &mut clock)?.load(&mut clock)?;
    monitor.interrupt.set();
    search.candidates(&features).map(drop)
}

#[test]
fn an_interrupt_stops_the_joins_of_features_families_and_fingerprints() {
    for method in [Method::MinHash, Method::Exact, Method::SimHash] {
        assert!(matches!(interrupted(method, true), Err(Error::Interrupted(_))), "{method:?}");
    }
    for method in [Method::MinHash, Method::Exact] {
        assert!(matches!(interrupted(method, false), Err(Error::Interrupted(_))), "{method:?}");
    }
}
