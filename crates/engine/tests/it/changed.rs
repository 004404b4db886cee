//! An input that changes between two scans stops the run.

use lookalike::{Measure, Method, Options, Weights};
use lookalike_corpus::{Fields, Inputs, Waiting};
use lookalike_engine::Error;
use lookalike_engine::clock::Clock;
use lookalike_engine::documents::Scanned;
use lookalike_engine::documents::sketch;
use lookalike_engine::progress::Monitor;
use lookalike_engine::request::{Keep, Request};
use lookalike_engine::search::Sketched;
use lookalike_engine::search::{LoadedSearch, MarkedSearch};
use lookalike_engine::work::Work;
use std::fs::{self, File};

/// Lines with one text twice and some others, and with a group each.
fn lines(first: &str) -> String {
    let text = |number: usize| match number {
        0 => first.to_owned(),
        1 => "one two three four five six seven eight nine ten eleven".to_owned(),
        _ => format!("other{number} words{number} in{number} every{number} line{number}"),
    };
    (0..50).map(|number| serde_json::json!({"text": text(number), "site": "a"}).to_string() + "\n").collect()
}

/// Runs the search over a file that is exchanged between its scans for one of the same length and time.
fn search(method: Method, measure: Measure, within: &[String], changed: &str) -> Result<(), Error> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.jsonl");
    fs::write(&path, lines("one two three four five six seven eight nine ten twelve")).unwrap();
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    let options = Options {
        method: Some(method),
        measure: Some(measure),
        threshold: Some(0.5),
        shingle: Some(1),
        ..Options::default()
    };
    let mut request = Request::new(options.plan().unwrap());
    request.within = within.to_vec();
    let inputs = Inputs::resolve(&[path.to_str().unwrap().to_owned()], &Waiting::default()).unwrap();
    let fields = Fields { within: within.to_vec(), ..Fields::of_text("text") };
    let (work, monitor, weights) = (Work::in_memory(), Monitor::default(), Weights::Set);
    let mut documents = sketch(&request, &inputs, &fields, &Keep::First, &weights, &work, &monitor)?;
    let kept = std::mem::take(&mut documents.kept);
    let originals = documents.sketches.originals(1);
    let scanned = Scanned { request: &request, inputs: &inputs, documents: &documents, monitor: &monitor };
    let sketched = Sketched { scanned, originals: &originals, weights: &weights, work: &work };
    // The bytes are replaced in place, and the time is set back.
    fs::write(&path, lines(changed)).unwrap();
    File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    scanned.partners(&[2], &originals, 0.5, &weights)?;
    let mut clock = Clock::start();
    let LoadedSearch { search, features } =
        MarkedSearch::new(sketched, kept, &mut clock)?.load(&mut clock)?;
    search.candidates(&features).map(drop)
}

#[test]
fn a_text_that_is_exchanged_for_one_of_the_same_length_is_noticed() {
    let same = "one two three four five six seven eight nine ten twelve";
    let other = "one two three four five six seven eight nine ten twelwe";
    for within in [Vec::new(), vec!["site".to_owned()]] {
        for (method, measure) in [
            (Method::MinHash, Measure::Jaccard),
            (Method::MinHash, Measure::WordJaccard),
            (Method::Exact, Measure::Jaccard),
            (Method::SimHash, Measure::Cosine),
        ] {
            search(method, measure, &within, same).unwrap();
            let error = search(method, measure, &within, other).unwrap_err().to_string();
            assert!(
                error.ends_with("in.jsonl:1: the record changed while the job ran: it is another text"),
                "{method:?}: {error}"
            );
        }
    }
}
