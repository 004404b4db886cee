//! Searches in an index: keys that differ in the last bits only, and numbers of any size.

use crate::error::Error;
use crate::format::SegmentFile;
use crate::gather::Gathered;
use crate::index::Index;
use crate::key_set::{KeySet, start_of};
use crate::lock::Lock;
use crate::manifest::{Manifest, ManifestFile};
use crate::progress::Progress;
use crate::segment::Segment;
use crate::segment_writer::{NewDocument, SegmentWriter};
use crate::update::Update;
use lookalike::cluster::UnionFind;
use lookalike::search::{SketchBuilder, SketchTable, Sketches};
use lookalike::sketch::ContentHash;
use lookalike::{Level, Method, Options, Plan, Weights};
use std::fs;
use std::num::NonZeroU32;
use std::ops::ControlFlow;
use std::path::Path;
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
    let known = found.features(&places).unwrap().into_iter().map(<[u64]>::to_vec);
    let all: Vec<Vec<u64>> = known.chain(sets.iter().cloned()).collect();
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
    let mut writer = SegmentWriter::create(index).unwrap();
    let (view, plan) = (table.view(), plan());
    for (index, features) in sets.iter().enumerate() {
        let bands = plan.banding().bands;
        let (from, last) = documents[index];
        writer
            .push(NewDocument {
                keys: &view.keys[index * bands..][..bands],
                signature: &view.bytes[index * plan.num_perm()..][..plan.num_perm()],
                content: view.contents[index],
                id: &id(from, last),
                features,
            })
            .unwrap();
    }
    (writer.finish(&links, None).unwrap(), duplicates)
}

/// A table of documents that have these band keys, and nothing else in common.
fn table(plan: &Plan, keys: &[Vec<u64>], content: ContentHash) -> SketchTable {
    let mut table = SketchTable::new(plan.num_perm(), plan.banding());
    keys.iter().for_each(|keys| table.extend(keys, &vec![0; plan.num_perm()], &[content]));
    table
}

/// The documents of `index` that share a key with one of `table`.
fn gathered(index: &Arc<Index>, table: &SketchTable) -> Gathered {
    let candidates = index.candidates(table.view(), NonZeroU32::MIN, &()).unwrap();
    index.gather(candidates, &()).unwrap()
}

/// Band keys and content hash of a document.
fn sketch(index: &Index, number: u64) -> (Vec<u64>, ContentHash) {
    let known = index.stored(&[number]).unwrap()[0].sketch(&index.plan).unwrap();
    (known.keys.to_vec(), known.content)
}

#[test]
fn keys_that_start_the_same_and_are_others_have_no_influence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let texts: Vec<_> = (0..50).map(|document| (100 * document, 0)).collect();
    add(Index::create(&path, &plan()).unwrap(), &texts);
    let index = Arc::new(Index::open(&path).unwrap());
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
    let read = index.segments[0].with_starts(&wanted, &()).unwrap();
    assert_eq!(read, (0..50).collect::<Vec<u64>>());
    assert_eq!(gathered(&index, &table(&plan(), &near, content)).documents.numbers, [0_u64; 0]);
    // A key in another band than its own is none, either.
    near[0].copy_from_slice(&sketches[4].0);
    near[0].rotate_left(1);
    assert_eq!(gathered(&index, &table(&plan(), &near, content)).documents.numbers, [0_u64; 0]);
    // One key of two of them is what they are found by, beside all those that are near.
    near[7][3] = sketches[30].0[3];
    near[8][0] = sketches[12].0[0];
    let found = gathered(&index, &table(&plan(), &near, content));
    assert_eq!((&found.documents.numbers[..], &found.documents.first_of[..]), (&[12, 30][..], &[0, 1][..]));
    assert_eq!(found.id_text, b"d1200.0d3000.0");
}

#[test]
fn the_keys_of_an_index_have_five_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let texts: Vec<_> = (0..40).map(|document| (100 * document, 0)).collect();
    add(Index::create(&path, &plan()).unwrap(), &texts);
    let keys = fs::read(path.join(SegmentFile::Keys.name(1))).unwrap();
    // A header, a table of one part, and the keys.
    assert_eq!(keys.len(), 32 + 32 + 40 * plan().banding().bands * 5);
    let index = Index::open(&path).unwrap();
    let expected: Vec<u8> = sketch(&index, 0).0.into_iter().flat_map(start_of).collect();
    assert_eq!(keys[64..][..expected.len()], expected);
}

/// The index in `folder`, opened to be added to, as if `base` documents of segments that are gone had been before those that it has.
fn behind(folder: &Path, base: u64) -> Index {
    let ManifestFile { mut manifest, plan, bytes: manifest_bytes } = Manifest::read(folder).unwrap();
    let (mut segments, mut first) = (Vec::new(), base);
    for entry in &manifest.segments {
        segments.push(Segment::open(folder, plan.id().0, entry, first).unwrap());
        first += entry.documents;
    }
    manifest.documents = first;
    let lock = Some(Lock::of(folder).unwrap());
    Index { folder: folder.to_owned(), plan, manifest, manifest_bytes, segments, lock }
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

/// The results in an index of two segments whose first document has the number `base`, which is subtracted from all numbers.
fn results_behind(base: u64) -> Results {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let mut index = Index::create(&path, &plan()).unwrap();
    index.manifest.documents = base;
    let apart = (0..10).map(|document| (1000 + 100 * document, 0));
    add(index, &[(0, 0), (6, 0)].into_iter().chain(apart).collect::<Vec<_>>());
    // The first one is similar to the first two of the index, which are not similar to each other.
    let more = [(3, 0), (1000, 1), (5000, 0), (5000, 1)];
    let duplicates = add(behind(&path, base), &more);
    let index = Arc::new(behind(&path, base));
    assert_eq!(index.documents(), base + 16);
    let (keys, content) = sketch(&index, base + 1);
    let (others, _) = sketch(&index, base + 15);
    let found = gathered(&index, &table(&plan(), &[keys, others], content));
    let features = index.features(&found.documents.numbers).unwrap();
    assert!(features.iter().all(|features| features.len() == 37));
    Results {
        duplicates,
        numbers: found.documents.numbers.iter().map(|number| number - base).collect(),
        first_of: found.documents.first_of,
        ids: found.id_text,
        linked: index.linked().unwrap().count(),
    }
}

#[test]
fn numbers_beyond_32_bits_are_numbers_as_others() {
    let expected = results_behind(0);
    let Results { duplicates, numbers, first_of, linked, .. } = &expected;
    assert_eq!((*duplicates, *linked), (3, (3, 7)));
    assert!([0, 1, 12, 14, 15].iter().all(|number| numbers.contains(number)), "{numbers:?}");
    let at = |number: u64| numbers.binary_search(&number).unwrap();
    assert_eq!((first_of[at(1)] as usize, first_of[at(15)] as usize), (at(0), at(14)));
    // The boundary of 32 bits is between documents of the first segment, of the second, and before all of them.
    for base in [(1 << 32) - 1, (1 << 32) - 14, 1 << 32, (1 << 45) + 7] {
        assert_eq!(results_behind(base), expected, "{base}");
    }
}

#[test]
fn an_index_of_an_older_format_is_to_be_built_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    add(Index::create(&path, &plan()).unwrap(), &[(0, 0)]);
    for name in ["index.lookalike".to_owned(), SegmentFile::Keys.name(1)] {
        let file = path.join(&name);
        let whole = fs::read(&file).unwrap();
        let mut old = whole.clone();
        old[8..12].copy_from_slice(&1_u32.to_le_bytes());
        let check = xxh3_64(&old[..24]);
        old[24..32].copy_from_slice(&check.to_le_bytes());
        fs::write(&file, old).unwrap();
        let error = Index::open(&path).unwrap_err();
        assert!(matches!(error, Error::OtherVersion(_)));
        let said = "written in version 1 of the format; this program reads version 2; make the index again from its documents";
        assert_eq!(error.to_string(), format!("{}: {said}", file.display()));
        fs::write(&file, whole).unwrap();
    }
    assert!(Index::open(&path).is_ok());
}

#[test]
fn keys_that_are_looked_up_in_parts_find_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let texts: Vec<_> = (0..50).map(|document| (100 * document, 0)).collect();
    add(Index::create(&path, &plan()).unwrap(), &texts);
    let index = Arc::new(Index::open(&path).unwrap());
    let keys: Vec<Vec<u64>> = (0..50).step_by(3).map(|number| sketch(&index, number).0).collect();
    let table = table(&plan(), &keys, sketch(&index, 0).1);
    for parts in [1, 2, 7] {
        let read = Counted(AtomicU64::new(0), u64::MAX);
        let parts = NonZeroU32::new(parts).unwrap();
        let candidates = index.candidates(table.view(), parts, &read).unwrap();
        assert_eq!(candidates, (0..50).step_by(3).collect::<Vec<u64>>());
        assert_eq!(read.0.into_inner(), u64::from(parts.get()) * 50 * plan().banding().bands as u64 * 5);
    }
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
    let (keys, content) = sketch(&index, 0);
    let table = table(&plan(), &[keys], content);
    for most in [0, 1] {
        let stopped = index.candidates(table.view(), NonZeroU32::MIN, &Counted(AtomicU64::new(0), most));
        assert!(matches!(stopped, Err(Error::Interrupted)));
    }
    assert!(matches!(index.gather(vec![0], &Counted(AtomicU64::new(0), 0)), Err(Error::Interrupted)));
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
fn an_index_that_is_open_to_be_read_has_no_writer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    add(Index::create(&path, &plan()).unwrap(), &[(0, 0)]);
    let index = Arc::new(Index::open(&path).unwrap());
    assert!(matches!(SegmentWriter::create(index), Err(Error::ReadOnly { .. })));
}
