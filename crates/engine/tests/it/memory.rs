//! Records from memory give what a file of the same records gives.

use lookalike::{Method, Options, Weights};
use lookalike_corpus::{Fields, Inputs, UnreadableText, Waiting};
use lookalike_engine::clock::Clock;
use lookalike_engine::clusters::Evidence;
use lookalike_engine::clusters::compare;
use lookalike_engine::decisions::{Cluster, Decisions};
use lookalike_engine::documents::DocumentNames;
use lookalike_engine::documents::Scanned;
use lookalike_engine::documents::sketch;
use lookalike_engine::progress::Monitor;
use lookalike_engine::request::{ClusterShape, Keep, Request};
use lookalike_engine::search::Contained;
use lookalike_engine::search::Sketched;
use lookalike_engine::search::{LoadedSearch, MarkedSearch};
use lookalike_engine::work::{RunContext, Work};

/// 400 texts in families of four that differ in a word, with copies, empty texts and texts beyond ASCII among them.
fn texts() -> Vec<String> {
    let text = |index: usize| {
        let (family, member) = (index / 4, index % 4);
        let words: String = (0..30).map(|word| format!("f{family}w{word} ")).collect();
        match index % 23 {
            5 => String::new(),
            7 => format!("你好世界 {words}"),
            11 => words,
            _ => format!("{words} own{member}"),
        }
    };
    (0..400).map(text).collect()
}

/// What a run finds and decides.
#[derive(Debug, PartialEq)]
struct Found {
    /// Ids and scores.
    pairs: Vec<String>,
    documents: usize,
    /// The lines or rows of bad records.
    bad: Vec<u64>,
    /// Of each cluster the ids that are kept for its members, and those of the members.
    clusters: Vec<Vec<String>>,
    removed: u64,
}

/// The findings in `inputs` on `threads` threads.
fn found(inputs: &Inputs, method: Method, threads: usize) -> Found {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let options = Options { method: Some(method), threshold: Some(0.7), ..Options::default() };
        let request = Request::new(options.plan().unwrap());
        let fields = Fields { id: Some("id".into()), ..Fields::of_text("text") };
        let (work, monitor) = (Work::in_memory(), Monitor::default());
        let weights = Weights::Set;
        let mut documents =
            sketch(&request, inputs, &fields, &Keep::First, &weights, &work, &monitor).unwrap();
        let kept = std::mem::take(&mut documents.kept);
        let originals = documents.sketches.originals(1);
        let scanned = Scanned { request: &request, inputs, documents: &documents, monitor: &monitor };
        let sketched = Sketched { scanned, originals: &originals, weights: &weights, work: &work };
        let mut clock = Clock::start();
        let LoadedSearch { search, features } =
            MarkedSearch::new(sketched, kept, &mut clock).unwrap().load(&mut clock).unwrap();
        let candidates = search.candidates(&features).unwrap();
        let (pairs, _) =
            compare::pairs(&request, &candidates.search, candidates.features, &work, &monitor).unwrap();
        let names = DocumentNames { inputs, documents: &documents };
        let pairs =
            pairs.iter().map(|pair| format!("{} {} {}", names.id(pair.a), names.id(pair.b), pair.score));
        let bad = documents.bad.iter().filter_map(|bad| bad.line).collect();
        let contained = Contained::default();
        let evidence = Evidence::new(sketched, candidates.features, &contained);
        let clustered = compare::cluster(&candidates.search, None, evidence, &work, &monitor).unwrap();
        let decisions = Decisions::new(clustered.sets, ClusterShape::Union, evidence, &Keep::Longest);
        let ids = |cluster: Cluster<'_>| {
            let documents = cluster.kept.iter().chain(cluster.members);
            documents.map(|&document| names.id(document).into_owned()).collect()
        };
        let clusters = decisions.clusters().map(ids).collect();
        let removed = decisions.removed();
        Found { pairs: pairs.collect(), documents: documents.len(), bad, clusters, removed }
    })
}

fn jsonl(folder: &tempfile::TempDir, rows: impl Iterator<Item = (Option<String>, String)>) -> Inputs {
    let path = folder.path().join("rows.jsonl");
    let lines: String =
        rows.map(|(text, id)| serde_json::json!({"text": text, "id": id}).to_string() + "\n").collect();
    std::fs::write(&path, lines).unwrap();
    Inputs::resolve(&[path.to_str().unwrap().to_owned()], &Waiting::default()).unwrap()
}

/// Rows with ids, some without a text.
struct Rows(Vec<(Option<String>, String)>);

impl lookalike_corpus::Texts for Rows {
    fn rows(&self) -> usize {
        self.0.len()
    }

    fn length(&self, row: usize) -> u64 {
        self.0[row].0.as_ref().map_or(0, |text| text.len() as u64)
    }

    fn texts<'t>(
        &'t self,
        rows: &[usize],
        _: &'t mut Vec<u8>,
    ) -> Result<Vec<Option<&'t str>>, UnreadableText> {
        Ok(rows.iter().map(|&row| self.0[row].0.as_deref()).collect())
    }

    fn id(&self, row: usize) -> Option<&str> {
        Some(&self.0[row].1)
    }
}

fn rows() -> Vec<(Option<String>, String)> {
    let row = |(index, text): (usize, String)| ((index % 37 != 3).then_some(text), format!("d{index}"));
    texts().into_iter().enumerate().map(row).collect()
}

#[test]
fn texts_in_memory_give_the_pairs_of_a_file_with_these_texts() {
    let folder = tempfile::tempdir().unwrap();
    let file = jsonl(&folder, rows().into_iter());
    let memory = Inputs::of_texts("rows", Rows(rows()));
    for method in [Method::MinHash, Method::Exact, Method::SimHash] {
        let expected = found(&file, method, 1);
        assert!(expected.pairs.len() > 100 && expected.bad.len() == 11, "{method:?}: {expected:?}");
        assert!(expected.clusters.len() > 50 && expected.removed > 50, "{method:?}: {expected:?}");
        for threads in [1, 2, 5] {
            assert_eq!(found(&memory, method, threads), expected, "{method:?}, {threads} threads");
        }
    }
}

#[test]
fn arrow_batches_of_any_lengths_give_the_pairs_of_a_file_with_these_rows() {
    use arrow_array::{ArrayRef, RecordBatch, StringArray, StringViewArray};

    let folder = tempfile::tempdir().unwrap();
    let expected = found(&jsonl(&folder, rows().into_iter()), Method::MinHash, 1);
    let columns = |rows: &[(Option<String>, String)]| -> [(&'static str, ArrayRef); 2] {
        let text: StringArray = rows.iter().map(|(text, _)| text.as_deref()).collect();
        let id: StringViewArray = rows.iter().map(|(_, id)| Some(id.as_str())).collect();
        [("id", std::sync::Arc::new(id)), ("text", std::sync::Arc::new(text))]
    };
    let whole = RecordBatch::try_from_iter(columns(&rows())).unwrap();
    // Slices, whose arrays have an offset, of which some are empty.
    let cuts = [0, 0, 1, 7, 200, 201, 399, 400, 400];
    let batches: Vec<RecordBatch> = cuts.windows(2).map(|cut| whole.slice(cut[0], cut[1] - cut[0])).collect();
    for threads in [1, 2] {
        let memory = Inputs::of_batches("rows", batches.clone());
        assert_eq!(found(&memory, Method::MinHash, threads), expected, "{threads} threads");
    }
}

#[test]
fn sources_without_rows_and_with_one_row_are_read() {
    for (count, documents) in [(0, 0), (1, 1)] {
        let memory = Inputs::of_texts("rows", texts()[..count].to_vec());
        let found = found(&memory, Method::MinHash, 2);
        assert_eq!((found.pairs, found.documents, found.bad), (Vec::new(), documents, Vec::new()));
    }
}

#[test]
fn a_run_over_texts_in_memory_does_not_continue_one_over_other_texts() {
    let folder = tempfile::tempdir().unwrap();
    let request = Request::new(Options::default().plan().unwrap());
    let begin = |texts: &[&'static str]| {
        let inputs = Inputs::of_texts("rows", texts.to_vec());
        let context = RunContext {
            request: &request,
            inputs: &inputs,
            identity: b"a run".to_vec(),
            is_apart_by_settings: false,
            place: folder.path().to_owned(),
            settings: Vec::new(),
            memory: None,
            threads: 1,
        };
        Work::new(&context, &Monitor::default()).unwrap()
    };
    let names = || std::fs::read_dir(folder.path()).unwrap().count();
    begin(&["some text", "a text"]).begin().unwrap();
    assert_eq!(names(), 1, "the run ended without removing its folder, as after a kill");
    let next = begin(&["text some", "text a"]);
    assert!(next.folder().is_none());
    assert_eq!(names(), 0);
}
