//! Searches in an index, and its updates.

use crate::bulk::gather::Gathered;
use crate::bulk::update::Update;
use crate::bulk::update_writer::UpdateWriter;
use crate::encode::EncodedDocuments;
use crate::error::Error;
use crate::index::Index;
use crate::info::Verify;
use crate::keys::key::shared_key;
use crate::log::record::NewDocument;
use crate::progress::Progress;
use lookalike::cluster::UnionFind;
use lookalike::search::{SketchBuilder, SketchTable, Sketches};
use lookalike::sketch::ContentHash;
use lookalike::{Level, Method, Options, Plan, Weights};
use std::fs;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use xxhash_rust::xxh3::xxh3_64;

fn plan() -> Plan {
    Options { method: Some(Method::MinHash), ..Options::default() }.plan().unwrap()
}

/// Forty words from number `from` on, and one more: two whose numbers are near are similar.
fn text(from: usize, last: usize) -> String {
    let words: String = (from..from + 40).map(|word| format!("w{word} ")).collect();
    format!("{words}{last}")
}

/// The id of that text.
fn id(from: usize, last: usize) -> String {
    format!("d{from}.{last}")
}

/// Do two sets have a Jaccard similarity of 0.8 or more?
fn are_similar(a: &[u64], b: &[u64]) -> bool {
    let shared = a.iter().filter(|feature| b.contains(feature)).count();
    shared as f64 / (a.len() + b.len() - shared) as f64 >= 0.8
}

/// Adds the texts of `documents` to `index`, which was opened for that, with the clusters that they make. Returns how many of them are
/// not the first of their cluster.
fn add(index: Index, documents: &[(usize, usize)]) -> u64 {
    let (update, duplicates) = write(Arc::new(index), documents);
    update.publish().unwrap();
    duplicates
}

/// The same, without publishing them.
fn write(index: Arc<Index>, documents: &[(usize, usize)]) -> (Update, u64) {
    let mut builder = SketchBuilder::new(&plan(), &Weights::Set, Level::detect());
    let mut sketches = Sketches::new(&plan());
    let mut sets = Vec::new();
    for &(from, last) in documents {
        let mut features = builder.sketch_into(&text(from, last), &mut sketches).to_vec();
        let distinct = builder.prepare(&mut features, &mut []);
        features.truncate(distinct);
        sets.push(features);
    }
    let Sketches::MinHash(table) = sketches else { panic!("the plan says MinHash") };
    let found = gathered(&index, &table).documents;
    let places: Vec<u32> = (0..found.numbers.len() as u32).collect();
    let mut all = Vec::new();
    found.features(index.plan(), &places, |features| all.push(features.to_vec())).unwrap();
    all.extend(sets);
    let mut clusters = UnionFind::new(all.len());
    (0..).zip(&found.first_of).for_each(|(place, &first)| clusters.unite(first, place));
    for a in 0..all.len() {
        (0..a).filter(|&b| are_similar(&all[a], &all[b])).for_each(|b| clusters.unite(a as u32, b as u32));
    }
    let numbers: Vec<u64> =
        found.numbers.iter().copied().chain(index.documents()..).take(all.len()).collect();
    let links: Vec<[u64; 2]> =
        (0..all.len()).map(|place| [numbers[clusters.find(place as u32) as usize], numbers[place]]).collect();
    let links: Vec<[u64; 2]> = links.into_iter().filter(|[first, member]| first != member).collect();
    let duplicates = links.iter().filter(|[_, member]| *member >= index.documents()).count() as u64;
    let (view, plan) = (table.view(), plan());
    let mut writer = UpdateWriter::create(index, view.keys, &[]).unwrap();
    let mut encoded = EncodedDocuments::new(writer.first_number());
    for (index, &(from, last)) in documents.iter().enumerate() {
        let bands = plan.banding().bands;
        let document = NewDocument {
            keys: &view.keys[index * bands..][..bands],
            signature: &view.bytes[index * plan.num_perm()..][..plan.num_perm()],
            content: view.contents[index],
            id: &id(from, last),
            text: &text(from, last),
            ..NewDocument::default()
        };
        encoded.push(&document, &writer.encoder());
        // Frames of few documents, as chunks are.
        if encoded.len() == 7 {
            writer.push(&encoded).unwrap();
            encoded = EncodedDocuments::new(encoded.first + 7);
        }
    }
    writer.push(&encoded).unwrap();
    (writer.finish(&links, None, &()).unwrap(), duplicates)
}

/// A table of documents that have these band keys, and nothing else in common.
fn table(plan: &Plan, keys: &[Vec<u64>], content: ContentHash) -> SketchTable {
    let mut table = SketchTable::new(plan.num_perm(), plan.banding());
    keys.iter().for_each(|keys| table.extend(keys, &vec![0; plan.num_perm()], &[content]));
    table
}

/// The documents of `index` that share a key with one of `table`.
fn gathered(index: &Arc<Index>, table: &SketchTable) -> Gathered {
    let candidates = index.candidates(table.view().keys, table.view().contents, 0, &()).unwrap();
    index.gather(candidates, 0, &()).unwrap()
}

/// The sketches of these texts.
fn sketches(documents: &[(usize, usize)]) -> SketchTable {
    let mut builder = SketchBuilder::new(&plan(), &Weights::Set, Level::detect());
    let mut sketches = Sketches::new(&plan());
    for &(from, last) in documents {
        builder.sketch_into(&text(from, last), &mut sketches);
    }
    let Sketches::MinHash(table) = sketches else { panic!("the plan says MinHash") };
    table
}

#[test]
fn a_document_is_a_candidate_if_it_shares_a_key_in_the_same_band() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let texts: Vec<_> = (0..50).map(|document| (100 * document, 0)).collect();
    add(Index::create(&path, &plan()).unwrap(), &texts);
    let index = Arc::new(Index::open(&path).unwrap());
    let (known, bands) = (sketches(&texts), plan().banding().bands);
    let view = known.view();
    let keys = |document: usize| view.keys[document * bands..][..bands].to_vec();
    // Keys that differ in a bit that the index holds, and a key in another band than its own, find nothing.
    let mut others: Vec<Vec<u64>> =
        (0..36).map(|bit| keys(bit).iter().map(|key| key ^ 1 << (63 - bit)).collect()).collect();
    let mut rotated = keys(40);
    rotated.rotate_left(1);
    others.push(rotated);
    assert_eq!(gathered(&index, &table(&plan(), &others, view.contents[0])).documents.numbers, [0_u64; 0]);
    // One key of two of them is enough.
    others[7][3] = keys(30)[3];
    others[8][0] = keys(12)[0];
    let found = gathered(&index, &table(&plan(), &others, view.contents[0]));
    assert_eq!((&found.documents.numbers[..], &found.documents.first_of[..]), (&[12, 30][..], &[0, 1][..]));
    assert_eq!(found.id_text, b"d1200.0d3000.0");
    // Its sketch is that of its text, with shared keys.
    let shared: Vec<u64> = keys(12).into_iter().map(shared_key).collect();
    let Sketches::MinHash(stored) = found.sketches else { panic!("the plan says MinHash") };
    let stored = stored.view();
    assert_eq!(stored.keys[..bands], shared);
    assert_eq!(stored.bytes[..plan().num_perm()], view.bytes[12 * plan().num_perm()..][..plan().num_perm()]);
    assert_eq!(stored.contents[0], view.contents[12]);
}

#[test]
fn updates_of_any_size_are_found_and_make_few_runs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let texts: Vec<_> = (0..300).map(|document| (100 * document, 0)).collect();
    let mut index = Index::create(&path, &plan()).unwrap();
    for texts in texts.chunks(11) {
        add(index, texts);
        index = Index::open_to_add(&path).unwrap();
    }
    assert!(index.state.runs.len() <= 5, "{} runs", index.state.runs.len());
    let index = Arc::new(index);
    let found = gathered(&index, &sketches(&texts));
    assert_eq!(found.documents.numbers, (0..300).collect::<Vec<u64>>());
    let info = index.info(Verify::Everything, &()).unwrap();
    assert_eq!((info.documents, info.updates, info.clusters), (300, 28, 0));
    let named: u64 = info.files.iter().map(|file| file.bytes).sum();
    let there = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len());
    assert_eq!(there.sum::<u64>(), named, "no other file is left");
}

/// Results of a search in an index, and its clusters.
#[derive(Debug, PartialEq)]
struct Results {
    duplicates: u64,
    numbers: Vec<u64>,
    first_of: Vec<u32>,
    ids: Vec<u8>,
    /// Clusters, and the documents in them.
    linked: (u64, u64),
}

#[test]
fn new_documents_join_clusters_of_the_index() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let apart = (0..10).map(|document| (1000 + 100 * document, 0));
    let first: Vec<_> = [(0, 0), (6, 0)].into_iter().chain(apart).collect();
    add(Index::create(&path, &plan()).unwrap(), &first);
    // The first one is similar to the first two of the index, which are not similar to each other.
    let more = [(3, 0), (1000, 1), (5000, 0), (5000, 1)];
    let duplicates = add(Index::open_to_add(&path).unwrap(), &more);
    let index = Arc::new(Index::open(&path).unwrap());
    let found = gathered(&index, &sketches(&[(6, 0), (5000, 1)]));
    let results = Results {
        duplicates,
        numbers: found.documents.numbers,
        first_of: found.documents.first_of,
        ids: found.id_text,
        linked: index.linked().unwrap().count(),
    };
    assert_eq!((results.duplicates, results.linked), (3, (3, 7)));
    assert!([0, 1, 12, 14, 15].iter().all(|number| results.numbers.contains(number)), "{results:?}");
    let at = |number: u64| results.numbers.binary_search(&number).unwrap();
    let first = |number: u64| results.first_of[at(number)] as usize;
    assert_eq!((first(1), first(15)), (at(0), at(14)));
}

#[test]
fn an_index_of_an_older_format_is_to_be_built_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    add(Index::create(&path, &plan()).unwrap(), &[(0, 0)]);
    for name in ["index.lookalike", "000001.log", "000002.run"] {
        let file = path.join(name);
        let whole = fs::read(&file).unwrap();
        let mut old = whole.clone();
        old[8..12].copy_from_slice(&1_u32.to_le_bytes());
        let check = xxh3_64(&old[..24]);
        old[24..32].copy_from_slice(&check.to_le_bytes());
        fs::write(&file, old).unwrap();
        let error = Index::open(&path).unwrap_err();
        assert!(matches!(error, Error::OtherVersion(_)));
        let said = "written in version 1 of the format; this program reads version 4; make the index again from its documents";
        assert_eq!(error.to_string(), format!("{}: {said}", file.display()));
        fs::write(&file, whole).unwrap();
    }
    assert!(Index::open(&path).is_ok());
}

/// Counts progress, and stops from so much on.
struct Counted(AtomicU64, u64);

impl Progress for Counted {
    fn advance(&self, done: u64) -> ControlFlow<()> {
        match self.0.fetch_add(done, Ordering::Relaxed) + done < self.1 {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }
}

#[test]
fn a_search_that_is_stopped_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    add(Index::create(&path, &plan()).unwrap(), &[(0, 0)]);
    let index = Arc::new(Index::open(&path).unwrap());
    let table = sketches(&[(0, 0)]);
    for most in [0, 1] {
        let stopped =
            index.candidates(table.view().keys, table.view().contents, 0, &Counted(AtomicU64::new(0), most));
        assert!(matches!(stopped, Err(Error::Interrupted)));
    }
    assert!(matches!(index.gather(vec![0], 0, &Counted(AtomicU64::new(0), 0)), Err(Error::Interrupted)));
}

#[test]
fn an_update_that_is_not_published_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    drop(write(Arc::new(Index::create(&path, &plan()).unwrap()), &[(0, 0)]));
    assert!(!path.exists());
    add(Index::create(&path, &plan()).unwrap(), &[(0, 0)]);
    let names = || {
        let entries = fs::read_dir(&path).unwrap();
        entries.map(|entry| entry.unwrap().file_name()).collect::<std::collections::BTreeSet<_>>()
    };
    let before = names();
    drop(write(Arc::new(Index::open_to_add(&path).unwrap()), &[(100, 0)]));
    assert_eq!(names(), before);
    // Nothing to add changes nothing but the version of the program.
    add(Index::open_to_add(&path).unwrap(), &[]);
    assert_eq!((names(), Index::open(&path).unwrap().documents()), (before, 1));
}

#[test]
fn an_index_has_one_writer_and_none_if_it_is_open_to_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    add(Index::create(&path, &plan()).unwrap(), &[(0, 0)]);
    let index = Arc::new(Index::open(&path).unwrap());
    assert!(matches!(UpdateWriter::create(index, &[], &[]), Err(Error::ReadOnly { .. })));
    let index = Arc::new(Index::open_to_add(&path).unwrap());
    let (update, _) = write(Arc::clone(&index), &[(100, 0)]);
    assert!(matches!(UpdateWriter::create(Arc::clone(&index), &[], &[]), Err(Error::HasWriter { .. })));
    update.publish().unwrap();
    assert!(matches!(UpdateWriter::create(index, &[], &[]), Err(Error::HasWriter { .. })));
    assert_eq!(Index::open(&path).unwrap().documents(), 2);
}
