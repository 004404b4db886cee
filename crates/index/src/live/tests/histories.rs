//! Random steps, kills and failures included.

use super::super::open_log::Fails;
use super::model::{Model, ModelDocument};
use super::*;
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Step {
    Add(u64),
    Remove(usize),
    Link(usize, usize),
    /// A document is removed, and its text is to be gone.
    Purge(usize),
    /// Runs are merged, and files of the log rewritten.
    Tidy,
    /// A document expires so many seconds later.
    Extend(usize, u32),
    Commit(bool),
    /// The process is killed.
    Kill,
    Close,
    RollLog,
    /// The commit fails, and so does the next.
    Fail,
    /// The disk fails. The process goes on, or is killed.
    FailDisk(bool),
    /// The disk fails, and what it may have cannot be cut off.
    FailTwice,
    /// Seconds pass.
    Pass(u32),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        30 => (0..200_u64).prop_map(Step::Add),
        3 => any::<usize>().prop_map(Step::Remove),
        2 => any::<(usize, usize)>().prop_map(|(a, b)| Step::Link(a, b)),
        3 => (any::<usize>(), 0..9000_u32).prop_map(|(document, seconds)| Step::Extend(document, seconds)),
        1 => any::<usize>().prop_map(Step::Purge),
        1 => Just(Step::Tidy),
        10 => any::<bool>().prop_map(Step::Commit),
        1 => Just(Step::Kill),
        1 => Just(Step::Close),
        1 => Just(Step::RollLog),
        1 => Just(Step::Fail),
        1 => any::<bool>().prop_map(Step::FailDisk),
        1 => Just(Step::FailTwice),
        2 => (0..6000_u32).prop_map(Step::Pass),
    ]
}

/// An index, and what it must have.
struct Run<'p> {
    path: &'p Path,
    writer: IndexWriter,
    reader: IndexReader,
    /// With what is not committed.
    decided: Model,
    committed: Model,
}

impl Run<'_> {
    fn take(mut self, step: &Step) -> Self {
        let count = self.decided.documents.len();
        match *step {
            Step::Add(seed) => {
                let time = self.decided.now;
                assert_eq!(add(&mut self.writer, seed, time), count as u64);
                let expires = expires(seed, time);
                self.decided.documents.push(ModelDocument { seed, time, expires, is_removed: false });
            }
            Step::Remove(number) if count > 0 => {
                self.writer.remove((number % count) as u64);
                self.decided.documents[number % count].is_removed = true;
            }
            Step::Purge(number) if count > 0 => {
                self.writer.purge((number % count) as u64);
                self.decided.documents[number % count].is_removed = true;
            }
            Step::Tidy => {
                self.reader.merge_all(self.decided.now, &()).unwrap();
                self.reader.pack(self.decided.now, &()).unwrap();
                self.committed.check(&self.reader.snapshot());
            }
            Step::Link(a, b) if count > 0 => {
                self.writer.link((a % count) as u64, (b % count) as u64);
                self.decided.links.push([(a % count) as u64, (b % count) as u64]);
            }
            Step::Extend(number, seconds) if count > 0 => {
                let (number, now) = (number % count, self.decided.now);
                let document = &mut self.decided.documents[number];
                if document.expires.is_some_and(|expires| expires > now) && !document.is_removed {
                    self.writer.extend_expiry(number as u64, now + seconds).unwrap();
                    document.expires = document.expires.max(Some(now + seconds));
                }
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
            Step::Fail => self.fail(),
            Step::FailDisk(is_killed) => {
                self.fail_disk(Fails { sync: true, cut: false });
                if is_killed {
                    return self.reopen(false);
                }
                self.roll_back();
            }
            Step::FailTwice => {
                self.fail_disk(Fails { sync: true, cut: true });
                self.writer.roll_back();
                // There is no other file as long as the disk fails.
                self.fail_disk(Fails { sync: true, cut: true });
                self.roll_back();
            }
            Step::RollLog => self.writer.roll_log().unwrap(),
            Step::Kill => return self.reopen(false),
            Step::Close => return self.reopen(true),
            Step::Pass(seconds) => {
                // A document that has expired is dropped an hour later, and an extension is committed sooner.
                if self.has_extended() {
                    self = self.take(&Step::Commit(false));
                }
                self.decided.now += seconds;
                self.committed.now = self.decided.now;
            }
            Step::Remove(_) | Step::Purge(_) | Step::Link(..) | Step::Extend(..) => {}
        }
        self
    }

    /// Whether an extension is not committed.
    fn has_extended(&self) -> bool {
        let mut pairs = self.decided.documents.iter().zip(&self.committed.documents);
        pairs.any(|(decided, committed)| decided.expires != committed.expires)
    }

    /// A commit fails as the disk does.
    fn fail_disk(&mut self, fails: Fails) {
        add(&mut self.writer, 2, 0);
        self.writer.log().fails = fails;
        let lost = self.writer.commit(Some(b"lost")).unwrap();
        assert!(matches!(lost.finish(), Err(Error::Store(_))));
        self.committed.check(&self.reader.snapshot());
    }

    /// The disk works again, and what is not on it is forgotten.
    fn roll_back(&mut self) {
        self.writer.log().fails = Fails::default();
        self.writer.roll_back();
        self.decided = self.committed.clone();
        self.committed.check(&self.reader.snapshot());
    }

    fn fail(&mut self) {
        // It is never written, and so the next one is refused.
        let lost = self.writer.commit(Some(b"lost"));
        assert!(lost.is_some());
        add(&mut self.writer, 1, 0);
        let next = self.writer.commit(None).unwrap();
        assert!(matches!(next.finish(), Err(Error::NotInOrder)));
        self.writer.roll_back();
        self.decided = self.committed.clone();
        self.committed.check(&self.reader.snapshot());
    }

    fn reopen(mut self, closes: bool) -> Self {
        if closes && self.decided == self.committed {
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
        self
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]
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
