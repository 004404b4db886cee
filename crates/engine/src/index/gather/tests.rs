//! What is found in an index, whatever its keys have in common by chance, and however large its numbers are.

use super::{Gathered, Index};
use crate::clock::Clock;
use crate::clusters::compare;
use crate::clusters::evidence::Evidence;
use crate::decisions::Decisions;
use crate::documents::scanned::Scanned;
use crate::documents::sketching;
use crate::error::Error;
use crate::index::format::SegmentFile;
use crate::index::key_set::{KeySet, start_of};
use crate::index::segment::Segment;
use crate::index::{Added, Lock, Manifest, Update};
use crate::progress::Monitor;
use crate::request::{Keep, Request};
use crate::search::Sketched;
use crate::search::contained::Contained;
use crate::search::prepared::Prepared;
use crate::work::{Budget, Work};
use lookalike::search::SketchTable;
use lookalike::sketch::ContentHash;
use lookalike::{Method, Options, Plan, Weights};
use lookalike_corpus::{Fields, Inputs, Waiting};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

fn plan() -> Plan {
    Options { method: Some(Method::MinHash), ..Options::default() }.plan().unwrap()
}

/// Forty words from number `from` on, and one more: two whose numbers are near are similar.
fn line(from: usize, last: usize) -> String {
    let words: String = (from..from + 40).map(|word| format!("w{word} ")).collect();
    format!("{{\"id\":\"d{from}.{last}\",\"text\":\"{words}{last}\"}}\n")
}

/// Adds the documents of `lines` to `index`, which was opened for that. Tells how many documents are removed.
fn add(index: Index, lines: &[String]) -> u64 {
    let input = index.folder().join("../in.jsonl");
    fs::write(&input, lines.concat()).unwrap();
    let inputs = Inputs::resolve(&[input.to_str().unwrap().to_owned()], &Waiting::default()).unwrap();
    let fields = Fields { text: "text".into(), id: Some("id".into()), number: None, within: Vec::new() };
    let (request, work, monitor) = (Request::new(plan()), Work::in_memory(), Monitor::default());
    let (keep, weights) = (Keep::First, Weights::Set);
    let mut documents =
        sketching::sketch(&request, &inputs, &fields, &keep, &weights, &work, &monitor).unwrap();
    let index = Arc::new(index);
    let gathered = Gathered::from(&index, documents.view().unwrap(), work.budget, &monitor).unwrap();
    documents.put_behind(gathered, &work).unwrap();
    let kept = std::mem::take(&mut documents.kept);
    let originals = documents.sketches.originals(1);
    let scanned = Scanned { request: &request, inputs: &inputs, documents: &documents, monitor: &monitor };
    let sketched = Sketched { scanned, originals: &originals, weights: &weights, work: &work };
    let mut prepared = Prepared::new(sketched, kept, &mut Clock::start()).unwrap();
    let candidates = prepared.candidates().unwrap();
    let contained = Contained::default();
    let evidence = Evidence::new(sketched, candidates.features, &contained);
    let found = compare::cluster(&candidates.search, evidence, &work, &monitor).unwrap();
    let roots = &found.roots;
    let update = Update::write(index, Added { scanned, roots }).unwrap();
    update.manifest().unwrap().publish().unwrap();
    update.keep();
    Decisions::new(found.sets, evidence, &keep).removed()
}

/// A table of documents that have these band keys, and nothing else in common.
fn table(plan: &Plan, keys: &[Vec<u64>], content: ContentHash) -> SketchTable {
    let mut table = SketchTable::new(plan.num_perm(), plan.banding());
    keys.iter().for_each(|keys| table.extend(keys, &vec![0; plan.num_perm()], &[content]));
    table
}

/// What `index` has that shares a key with one of `table`.
fn gathered(index: &Index, table: &SketchTable) -> Gathered {
    index.gather(table.view(), Budget::unlimited(), &Monitor::default()).unwrap()
}

/// Band keys and content hash of a document.
fn sketch(index: &Index, number: u64) -> (Vec<u64>, ContentHash) {
    let known = index.known(&[number]).unwrap()[0].sketch(&index.plan).unwrap();
    (known.keys.to_vec(), known.content)
}

#[test]
fn keys_that_start_the_same_and_are_others_have_no_influence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let lines: Vec<String> = (0..50).map(|document| line(100 * document, 0)).collect();
    add(Index::create(&path, &plan()).unwrap(), &lines);
    let index = Index::open(&path).unwrap();
    let sketches: Vec<_> = (0..50).map(|number| sketch(&index, number)).collect();
    let content = sketches[0].1;
    // Each starts as a key of a document in each band, and is none.
    let mut near: Vec<Vec<u64>> = sketches
        .iter()
        .enumerate()
        .map(|(bit, (keys, _))| keys.iter().map(|key| key ^ (1 << (bit % 24))).collect())
        .collect();
    let wanted: Vec<KeySet> = (0..plan().banding().bands)
        .map(|band| KeySet::new(near.iter().map(|keys| keys[band]).collect()))
        .collect();
    let bar = Monitor::default().stage("index", crate::progress::Unit::Bytes, None);
    let looked_at = index.segments[0].with_starts(&wanted, &Monitor::default().interrupt, &bar).unwrap();
    assert_eq!(looked_at, (0..50).collect::<Vec<u64>>());
    assert_eq!(gathered(&index, &table(&plan(), &near, content)).indexed.numbers, [0_u64; 0]);
    // A key in another band than its own is none, either.
    near[0].copy_from_slice(&sketches[4].0);
    near[0].rotate_left(1);
    assert_eq!(gathered(&index, &table(&plan(), &near, content)).indexed.numbers, [0_u64; 0]);
    // One key of two of them is what they are found by, beside all those that are near.
    near[7][3] = sketches[30].0[3];
    near[8][0] = sketches[12].0[0];
    let found = gathered(&index, &table(&plan(), &near, content));
    assert_eq!((&found.indexed.numbers[..], &found.indexed.first_of[..]), (&[12, 30][..], &[0, 1][..]));
    assert_eq!(found.ids.parts().1, b"d1200.0d3000.0");
}

#[test]
fn the_keys_of_an_index_have_five_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let lines: Vec<String> = (0..40).map(|document| line(100 * document, 0)).collect();
    add(Index::create(&path, &plan()).unwrap(), &lines);
    let keys = fs::read(path.join(SegmentFile::Keys.name(1))).unwrap();
    // A header, a table of one part, and the keys.
    assert_eq!(keys.len(), 32 + 32 + 40 * plan().banding().bands * 5);
    let index = Index::open(&path).unwrap();
    let expected: Vec<u8> = sketch(&index, 0).0.into_iter().flat_map(start_of).collect();
    assert_eq!(keys[64..][..expected.len()], expected);
}

/// The index in `folder`, opened to be added to, as if `base` documents of segments that are gone had been before those that it has.
fn behind(folder: &Path, base: u64) -> Index {
    let (mut manifest, plan, manifest_bytes) = Manifest::read(folder).unwrap();
    let (mut segments, mut first) = (Vec::new(), base);
    for entry in &manifest.segments {
        segments.push(Segment::open(folder, plan.id().0, entry, first).unwrap());
        first += entry.documents;
    }
    manifest.documents = first;
    let lock = Some(Lock::of(folder).unwrap());
    Index { folder: folder.to_owned(), plan, manifest, manifest_bytes, segments, lock }
}

/// What is found in an index, and what it says of itself.
#[derive(Debug, PartialEq)]
struct Told {
    removed: u64,
    numbers: Vec<u64>,
    first_of: Vec<u32>,
    ids: Vec<u8>,
    /// Clusters, and the documents in them.
    linked: (u64, u64),
}

/// Of an index of two segments whose first document has the number `base`; numbers are told without that.
fn told_behind(base: u64) -> Told {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let mut index = Index::create(&path, &plan()).unwrap();
    index.manifest.documents = base;
    let apart = (0..10).map(|document| line(1000 + 100 * document, 0));
    add(index, &[line(0, 0), line(6, 0)].into_iter().chain(apart).collect::<Vec<_>>());
    // The first one hangs together with both of the index, which did not.
    let more = [line(3, 0), line(1000, 1), line(5000, 0), line(5000, 1)];
    let removed = add(behind(&path, base), &more);
    let index = behind(&path, base);
    assert_eq!(index.documents(), base + 16);
    let (keys, content) = sketch(&index, base + 1);
    let (others, _) = sketch(&index, base + 15);
    let found = gathered(&index, &table(&plan(), &[keys, others], content));
    let features = index.features(&found.indexed.numbers).unwrap();
    assert!(features.iter().all(|features| features.len() == 37));
    Told {
        removed,
        numbers: found.indexed.numbers.iter().map(|number| number - base).collect(),
        first_of: found.indexed.first_of,
        ids: found.ids.parts().1.to_vec(),
        linked: index.linked().unwrap().count(),
    }
}

#[test]
fn numbers_beyond_32_bits_are_numbers_as_others() {
    let expected = told_behind(0);
    let Told { removed, numbers, first_of, linked, .. } = &expected;
    assert_eq!((*removed, *linked), (3, (3, 7)));
    assert!([0, 1, 12, 14, 15].iter().all(|number| numbers.contains(number)), "{numbers:?}");
    let at = |number: u64| numbers.binary_search(&number).unwrap();
    assert_eq!((first_of[at(1)] as usize, first_of[at(15)] as usize), (at(0), at(14)));
    // So that the boundary is between documents of the first segment, of the second, and before all.
    for base in [(1 << 32) - 1, (1 << 32) - 14, 1 << 32, (1 << 45) + 7] {
        assert_eq!(told_behind(base), expected, "{base}");
    }
}

#[test]
fn an_index_of_an_older_format_is_to_be_built_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    add(Index::create(&path, &plan()).unwrap(), &[line(0, 0)]);
    for name in ["index.lookalike".to_owned(), SegmentFile::Keys.name(1)] {
        let file = path.join(&name);
        let whole = fs::read(&file).unwrap();
        let mut old = whole.clone();
        old[8..12].copy_from_slice(&1_u32.to_le_bytes());
        let check = xxh3_64(&old[..24]);
        old[24..32].copy_from_slice(&check.to_le_bytes());
        fs::write(&file, old).unwrap();
        let error = Index::open(&path).unwrap_err();
        assert!(matches!(error, Error::IndexOfOtherVersion(_)));
        let said = "written in version 1 of the format; this program reads version 2; make the index again from its documents";
        assert_eq!(error.to_string(), format!("{}: {said}", file.display()));
        fs::write(&file, whole).unwrap();
    }
    assert!(Index::open(&path).is_ok());
}
