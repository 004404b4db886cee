//! A live index beside a list of documents that is searched from start to end.

use super::writer::Sizes;
use super::*;
use crate::keys::key::held;
use crate::log::record::{NewDocument, NewUrl, url_hash};
use lookalike::hash::SplitMix64;
use lookalike::sketch::ContentHash;
use lookalike::{Method, Options, Plan};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;

fn plan() -> Plan {
    Options {
        method: Some(Method::MinHash),
        num_perm: Some(16),
        bands: Some(4),
        rows: Some(4),
        ..Options::default()
    }
    .plan()
    .unwrap()
}

/// The keys of the document with this seed. Some are shared by many.
fn keys(seed: u64) -> Vec<u64> {
    let mut generator = SplitMix64(seed);
    (0..4).map(|_| SplitMix64(generator.next() % 60).next()).collect()
}

fn text(seed: u64) -> String {
    format!("the text of {seed}")
}

/// Even seeds have a URL.
fn url(seed: u64) -> Option<String> {
    seed.is_multiple_of(2).then(|| format!("https://example.org/{seed}"))
}

/// Seeds that are divisible by 11 have no features.
fn content(seed: u64) -> ContentHash {
    ContentHash::of_parts(if seed.is_multiple_of(11) { [0; 3] } else { [seed, seed + 1, 7] })
}

fn add(writer: &mut Writer, seed: u64) -> u64 {
    let (keys, signature) = (keys(seed), [seed as u8; 16]);
    let encoded = writer.encoder().encode(&NewDocument {
        keys: &keys,
        signature: &signature,
        content: content(seed),
        id: &format!("id{seed}"),
        text: &text(seed),
        time: Some(seed as u32),
        expires: seed.is_multiple_of(5).then_some(9),
        meta: seed.is_multiple_of(3).then_some("{}"),
        url: url(seed).as_deref().map(|text| NewUrl { text, hash: url_hash(text) }),
        ..NewDocument::default()
    });
    writer.add(&encoded, &keys)
}

/// What an index must have: the seed of each document, and whether it was removed.
#[derive(Clone, Debug, Default, PartialEq)]
struct Model {
    documents: Vec<(u64, bool)>,
    links: Vec<[u64; 2]>,
    payload: Option<Vec<u8>>,
}

impl Model {
    fn candidates(&self, keys: &[u64]) -> BTreeMap<u64, u32> {
        let mut found = BTreeMap::new();
        for (number, &(seed, is_removed)) in (0..).zip(&self.documents) {
            let shared = self::keys(seed).iter().zip(keys).filter(|(a, b)| held(**a) == held(**b)).count();
            if shared > 0 && !is_removed && !content(seed).is_empty() {
                found.insert(number, shared as u32);
            }
        }
        found
    }

    /// Checks that `snapshot` has the same documents, and finds the same by the keys and the id of some.
    fn check(&self, snapshot: &Snapshot) {
        assert_eq!(snapshot.documents(), self.documents.len() as u64);
        for (number, &(seed, is_removed)) in (0..).zip(&self.documents) {
            let document = snapshot.document(number).unwrap();
            assert_eq!((document.id(), document.time()), (&format!("id{seed}")[..], Some(seed as u32)));
            assert_eq!(document.text().unwrap(), text(seed));
            assert_eq!(
                (document.content(), document.expires()),
                (content(seed), seed.is_multiple_of(5).then_some(9))
            );
            assert_eq!(snapshot.is_removed(number), is_removed);
            let newest = self.documents.iter().rposition(|&(other, removed)| other == seed && !removed);
            let found = snapshot.find(document.id()).unwrap().map(|document| document.number as usize);
            assert_eq!(found, newest);
            assert_eq!(document.url(), url(seed).as_deref());
            let of_url =
                |url| snapshot.find_url(url_hash(url)).unwrap().map(|document| document.number as usize);
            assert_eq!(document.url().and_then(of_url), newest.filter(|_| url(seed).is_some()));
        }
        for seed in 0..20 {
            let found = snapshot.candidates(&keys(seed), 0).unwrap();
            let found: BTreeMap<u64, u32> = found.into_iter().map(|c| (c.number, c.bands)).collect();
            assert_eq!(found, self.candidates(&keys(seed)));
        }
    }
}

#[derive(Clone, Debug)]
enum Step {
    Add(u64),
    Remove(usize),
    Link(usize, usize),
    Commit(bool),
    /// The process is killed.
    Kill,
    Close,
    RollLog,
    /// The commit fails, and so does the next.
    Fail,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        30 => (0..200_u64).prop_map(Step::Add),
        3 => any::<usize>().prop_map(Step::Remove),
        2 => any::<(usize, usize)>().prop_map(|(a, b)| Step::Link(a, b)),
        10 => any::<bool>().prop_map(Step::Commit),
        1 => Just(Step::Kill),
        1 => Just(Step::Close),
        1 => Just(Step::RollLog),
        1 => Just(Step::Fail),
    ]
}

const SIZES: Sizes = Sizes { memtable: 16, log_file: 1500 };

fn open(path: &Path) -> (Writer, Reader) {
    let index = match Index::is_at(path) {
        true => Index::open_to_add(path).unwrap(),
        false => Index::create(path, &plan()).unwrap(),
    };
    Writer::open_with(index, SIZES).unwrap()
}

/// An index, and what it must have.
struct Run<'p> {
    path: &'p Path,
    writer: Writer,
    reader: Reader,
    /// With what is not committed.
    decided: Model,
    committed: Model,
}

impl Run<'_> {
    fn take(mut self, step: &Step) -> Self {
        let count = self.decided.documents.len();
        match *step {
            Step::Add(seed) => {
                assert_eq!(add(&mut self.writer, seed), count as u64);
                self.decided.documents.push((seed, false));
            }
            Step::Remove(number) if count > 0 => {
                self.writer.remove((number % count) as u64);
                self.decided.documents[number % count].1 = true;
            }
            Step::Link(a, b) if count > 0 => {
                self.writer.link((a % count) as u64, (b % count) as u64);
                self.decided.links.push([(a % count) as u64, (b % count) as u64]);
            }
            Step::Commit(has_payload) => {
                let payload = has_payload.then(|| count.to_le_bytes().to_vec());
                self.decided.payload = payload.clone().or(self.decided.payload);
                if let Some(commit) = self.writer.commit(payload.as_deref()) {
                    commit.finish().unwrap();
                }
                self.committed = self.decided.clone();
                self.committed.check(&self.reader.snapshot());
            }
            Step::Fail => {
                // It is never written, and so the next one is refused.
                let lost = self.writer.commit(Some(b"lost"));
                assert!(lost.is_some());
                add(&mut self.writer, 1);
                let next = self.writer.commit(None).unwrap();
                assert!(matches!(next.finish(), Err(Error::NotInOrder)));
                self.writer.roll_back();
                self.decided = self.committed.clone();
                self.committed.check(&self.reader.snapshot());
            }
            Step::RollLog => self.writer.roll_log().unwrap(),
            Step::Kill | Step::Close => {
                if matches!(step, Step::Close) && self.decided == self.committed {
                    self.writer.close().unwrap();
                } else {
                    drop(self.writer);
                }
                let index = Index::open(self.path).unwrap();
                assert_eq!(index.payload(), self.committed.payload.as_deref());
                index.info(crate::Verify::Everything, &()).unwrap();
                let mut linked = index.linked().unwrap();
                let mut expected = lookalike::cluster::UnionFind::new(self.committed.documents.len());
                self.committed.links.iter().for_each(|&[a, b]| expected.unite(a as u32, b as u32));
                for number in 0..self.committed.documents.len() as u32 {
                    assert_eq!(linked.first(number.into()), u64::from(expected.find(number)));
                }
                drop(index);
                (self.writer, self.reader) = open(self.path);
                self.decided = self.committed.clone();
                self.committed.check(&self.reader.snapshot());
            }
            Step::Remove(_) | Step::Link(..) => {}
        }
        self
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]
    /// Whatever happens, an index has what was committed, and nothing else.
    #[test]
    fn an_index_equals_a_list_of_what_was_committed(steps in prop::collection::vec(step(), 1..150)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("seen.index");
        let (writer, reader) = open(&path);
        let (decided, committed) = (Model::default(), Model::default());
        let mut run = Run { path: &path, writer, reader, decided, committed };
        for step in &steps {
            run = run.take(step);
        }
        run.take(&Step::Kill);
    }
}

/// A process that is killed while a run is made leaves more documents than a memtable takes beside another frame.
#[test]
fn a_long_tail_is_found_and_leaves_room_for_the_next_frame() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.index");
    let sizes = Sizes { memtable: usize::MAX, log_file: u64::MAX };
    let (mut writer, _) = Writer::open_with(Index::create(&path, &plan()).unwrap(), sizes).unwrap();
    let frames = crate::keys::memtable::MEMTABLE_DOCUMENTS / crate::keys::memtable::FRAME_DOCUMENTS;
    for frame in 0..frames as u64 {
        (0..4096).for_each(|document| {
            add(&mut writer, frame * 4096 + document);
        });
        writer.commit(None).unwrap().finish().unwrap();
    }
    drop(writer);
    let (mut writer, reader) = Writer::open(Index::open_to_add(&path).unwrap()).unwrap();
    let documents = reader.snapshot().documents();
    assert_eq!(documents, frames as u64 * 4096);
    (0..4096).for_each(|document| {
        add(&mut writer, documents + document);
    });
    writer.commit(None).unwrap().finish().unwrap();
    for seed in [0, 200_000, documents - 1, documents + 4000] {
        assert_eq!(reader.snapshot().find(&format!("id{seed}")).unwrap().unwrap().number, seed);
    }
    writer.close().unwrap();
    assert_eq!(Index::open(&path).unwrap().documents(), documents + 4096);
}
